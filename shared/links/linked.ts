/**
 * What follows the write of a link. A worker that completes the parent at this moment may have read the parent's
 * children before the link was there: its hold is touched, so that its write is refused and it reads them again.
 * Then the child is looked at, since the parent may have been done in between.
 */
import type { Engine } from '../engine.ts';
import { sideWrite } from '../jobs.ts';
import { DECIDE_RETRIES, WALK_WIDTH } from '../policy.ts';
import { JobSchema } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import { inWidth } from '../width.ts';
import { lookAtCards } from './look.ts';

/** @param parentIds Cards that the child has just been linked to. */
export async function settleLinked(
  engine: Engine,
  childId: string,
  parentIds: readonly string[],
): Promise<void> {
  await touchHolds(engine, parentIds);
  await lookAtCards(engine, [childId]);
}

/** The hold's write changes nothing but what a write in flight is conditioned on. */
async function touchHolds(engine: Engine, parentIds: readonly string[]): Promise<void> {
  let left = [...parentIds];
  for (let attempt = 0; left.length > 0 && attempt < DECIDE_RETRIES; attempt += 1) {
    const items = await engine.store.batchGet(left.map(jobKey));
    const held = items.flatMap((item) => {
      const job = JobSchema.safeParse(item).data;
      return job?.state === 'leased' && job.nonce !== undefined ? [job] : [];
    });
    const done = await inWidth(WALK_WIDTH, held, async (job) => {
      const pins = { nonce: job.nonce ?? '' };
      const touch = sideWrite(engine, { op: 'touch_held', before: job, after: job, events: [], pins });
      return (await engine.store.write(touch)).ok;
    });
    left = held.flatMap((job, at) => (done[at] === true ? [] : [job.pk]));
  }
}
