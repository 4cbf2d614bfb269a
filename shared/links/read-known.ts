/** Cards that a request names beside its own: those of them that are there, on the same board. */
import type { Engine } from '../engine.ts';
import { admitted } from '../graphs/staged.ts';
import { isId } from '../ids.ts';
import { parseJob } from '../jobs.ts';
import type { Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';

/** By id, read strongly. One that was deleted, or is of another board, is as good as none. */
export async function readKnown(
  engine: Engine,
  ids: readonly string[],
  boardId: string,
): Promise<ReadonlyMap<string, Job>> {
  const named = [...new Set(ids)].filter((id) => isId('crd', id));
  const items = named.length === 0 ? [] : await engine.store.batchGet(named.map(jobKey));
  const jobs = await Promise.all(
    items.map(async (item, at) =>
      item === undefined ? undefined : admitted(engine, parseJob(item, named[at] ?? '')),
    ),
  );
  const here = jobs.filter((job): job is Job => job?.board_id === boardId && job.state !== 'deleted');
  return new Map(here.map((job) => [job.pk, job]));
}
