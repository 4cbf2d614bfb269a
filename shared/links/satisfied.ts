/** When a parent counts as done for its children. */
import { committedGraphs } from '../graphs/staged.ts';
import type { Engine } from '../engine.ts';
import { JobSchema, type Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';

/** Done, also when it was put away or deleted after that. A card that is dead, or gone unfinished, is not. */
export function isSatisfied(job: Pick<Job, 'state' | 'archived_from'>): boolean {
  return job.state === 'done' || job.archived_from === 'done';
}

/** `absent`: a card of a graph that is not committed, and its links with it. */
export type ParentState = 'done' | 'open' | 'absent';

/** Of each card whether it counts as done, read strongly. One that is gone or cannot be read is open: never silently satisfied. */
export async function parentStates(
  engine: Engine,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ParentState>> {
  const items = ids.length === 0 ? [] : await engine.store.batchGet(ids.map(jobKey));
  const jobs = items.map((item) => JobSchema.safeParse(item).data);
  const committed = await committedGraphs(
    engine,
    jobs.filter((job) => job !== undefined),
  );
  return new Map(ids.map((id, at) => [id, stateOf(jobs[at], committed)]));
}

function stateOf(job: Job | undefined, committed: ReadonlySet<string>): ParentState {
  if (job === undefined) return 'open';
  if (job.staged !== undefined && !committed.has(job.staged)) return 'absent';
  return isSatisfied(job) ? 'done' : 'open';
}
