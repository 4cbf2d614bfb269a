/**
 * Whether a card's parents are open: asked by every verb that a parent stands in the way of, and answered here
 * alone. Costs nothing for a card without links.
 */
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { Job } from '../store/items.ts';

/** Ids of the parents that are not done; empty for a card that waits for none. */
export async function openParents(_engine: Engine, _job: Job): Promise<readonly string[]> {
  return [];
}

export async function hasOpenParents(engine: Engine, job: Job): Promise<boolean> {
  return job.parents_open === true || (await openParents(engine, job)).length > 0;
}

/** The job with the fact as it is now, not settled yet. */
export async function withParents(engine: Engine, job: Job): Promise<Job> {
  const { parents_open: _open, ...rest } = job;
  return (await hasOpenParents(engine, job)) ? { ...rest, parents_open: true } : rest;
}

/** Refuses what must not happen before the parents are done. A holder keeps its lease. */
export async function mustHaveNoOpenParents(engine: Engine, job: Job): Promise<void> {
  if (!(await hasOpenParents(engine, job))) return;
  const parents = await openParents(engine, job);
  throw problem('parents_open', 'The card has open parents. Complete them first, or unlink them.', {
    parents: [...parents],
  });
}

/**
 * A look at the parents after the card was written as waiting for them: the last may have been done in between,
 * when nobody saw this card wait.
 */
export async function wakeIfParentsDone(_engine: Engine, _job: Job): Promise<void> {}
