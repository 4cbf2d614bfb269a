/**
 * A card's parents, for the verbs that they stand in the way of. A card without links costs nothing here, and a
 * lease's completion asks only where JOB says that a parent is open.
 */
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { isGated } from '../links/facts.ts';
import { openParents } from '../links/open-parents.ts';
import type { Job } from '../store/items.ts';

/** Whether a parent is open now, read from the parents themselves. */
export async function hasOpenParents(engine: Engine, job: Job): Promise<boolean> {
  return (await openParents(engine, job.pk)).length > 0;
}

/** Refuses what must not happen while JOB says that a parent or a sub-card is open, and one is. A holder keeps its lease. */
export async function mustHaveNoOpenParents(engine: Engine, job: Job): Promise<void> {
  if (!isGated(job)) return;
  const parents = await openParents(engine, job.pk);
  if (parents.length === 0) return;
  throw problem(
    'parents_open',
    `${parents.length} of the card's parents are not done. Complete them first, or unlink them.`,
    { parents: [...parents] },
  );
}
