/**
 * Cards archived longer ago than their board keeps them: deleted as a person deletes one, with all that is theirs. One
 * that was put away unfinished while others wait for it stays: they could not be told from cards that nobody freed.
 */
import { deleteUnneeded } from '../cards/delete.ts';
import type { Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { readChildren } from '../links/edges.ts';
import { isSatisfied } from '../links/satisfied.ts';
import { STEP_CARDS } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { laneOf, overSince, parkedPrefix } from '../store/keys.ts';
import { LANES_INDEX } from '../store/table.ts';
import { inWidth } from '../width.ts';
import type { Allowance } from './allowance.ts';

/** Cards deleted side by side. */
const WIDTH = 4;

/** True when none older than `before` (ms) is left in these columns; false when the allowance was used up first. */
export async function removeOldArchived(
  engine: Engine,
  columnIds: readonly string[],
  before: number,
  allowance: Allowance,
): Promise<{ removed: number; finished: boolean }> {
  let removed = 0;
  for (const columnId of columnIds) {
    for await (const ids of oldestFirst(engine, columnId, before)) {
      if (allowance.over) return { removed, finished: false };
      const gone = await inWidth(WIDTH, ids, async (id) => removeCard(engine, id, before));
      const count = gone.filter(Boolean).length;
      removed += count;
      allowance.spend(count);
    }
  }
  return { removed, finished: true };
}

/** As late as the index is: each card is asked again when it goes. */
async function* oldestFirst(
  engine: Engine,
  columnId: string,
  before: number,
): AsyncGenerator<readonly string[]> {
  const archived = engine.store.pages({
    index: LANES_INDEX,
    pk: { name: 'lane', value: laneOf(columnId, 'P') },
    sk: { name: 'pos', prefix: parkedPrefix('archived') },
    reverse: true,
    limit: STEP_CARDS,
  });
  for await (const items of archived) {
    const old = items.filter(({ pos }) => overSince(String(pos)) < before);
    yield old.map(({ pk }) => String(pk));
    if (old.length < items.length) return;
  }
}

/** What was brought back, deleted or is on a closed board by now is none of ours. */
async function removeCard(engine: Engine, cardId: string, before: number): Promise<boolean> {
  try {
    return await deleteUnneeded(engine, cardId, async (job) => {
      if (job.state !== 'archived' || job.since_at >= before) return false;
      return isSatisfied(job) || !(await isWaitedFor(engine, job));
    });
  } catch (error) {
    if (isProblem(error) && (error.code === 'not_found' || error.code === 'conflict')) return false;
    throw error;
  }
}

async function isWaitedFor(engine: Engine, job: Job): Promise<boolean> {
  const { edges } = await readChildren(engine, job.pk, { limit: 1 });
  return edges.length > 0;
}
