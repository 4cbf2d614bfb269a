/** Summaries of cards by their ids, read strongly. */
import { committedGraphs } from '../graphs/staged.ts';
import type { Engine } from '../engine.ts';
import { CardSchema, JobSchema } from '../store/items.ts';
import { cardKey, jobKey } from '../store/keys.ts';
import { cardSummary, type CardSummary } from '../views/card.ts';

/** A card that is gone, not there yet, or that this version cannot read is left out. */
export async function summariesById(
  engine: Engine,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CardSummary>> {
  const unique = [...new Set(ids)];
  const items =
    unique.length === 0 ? [] : await engine.store.batchGet(unique.flatMap((id) => [jobKey(id), cardKey(id)]));
  const parts = unique.flatMap((id, at) => {
    const job = JobSchema.safeParse(items[2 * at]).data;
    const card = CardSchema.safeParse(items[2 * at + 1]).data;
    return job === undefined || card === undefined ? [] : [{ id, job, card }];
  });
  const committed = await committedGraphs(
    engine,
    parts.map(({ job }) => job),
  );
  const now = engine.deps.now();
  const there = parts.filter(({ job }) => job.staged === undefined || committed.has(job.staged));
  return new Map(there.map(({ id, job, card }) => [id, cardSummary({ job, card }, now)]));
}
