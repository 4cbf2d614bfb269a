/**
 * What follows the write of a link. A worker that completes the parent at this moment may have read the parent's
 * children before the link was there: its hold is touched, so that its write is refused and it reads them again.
 * Then the child is looked at, since the parent may have been done in between.
 */
import type { Engine } from '../engine.ts';
import { conditionOf } from '../store/conditions.ts';
import { DECIDE_RETRIES, WALK_WIDTH } from '../policy.ts';
import { JobSchema, type Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import type { Update } from '../store/params.ts';
import { inWidth } from '../width.ts';
import { lookAtCards } from './look.ts';

const OP_ID_BYTES = 6;

/** A hold's write that changes nothing but what a write in flight is conditioned on. */
export function holdTouched(engine: Engine, job: Job): Update {
  return {
    kind: 'update',
    key: jobKey(job.pk),
    set: { op: 'touch_held', op_id: engine.deps.secret(OP_ID_BYTES) },
    remove: [],
    condition: conditionOf('touch_held', { run: job.run, nonce: job.nonce ?? '' }),
  };
}

/** @param parentIds Cards that the child has just been linked to. */
export async function settleLinked(
  engine: Engine,
  childId: string,
  parentIds: readonly string[],
): Promise<void> {
  await touchHolds(engine, parentIds);
  await lookAtCards(engine, [childId]);
}

async function touchHolds(engine: Engine, parentIds: readonly string[]): Promise<void> {
  let left = [...parentIds];
  for (let attempt = 0; left.length > 0 && attempt < DECIDE_RETRIES; attempt += 1) {
    const items = await engine.store.batchGet(left.map(jobKey));
    const held = items.flatMap((item) => {
      const job = JobSchema.safeParse(item).data;
      return job?.state === 'leased' && job.nonce !== undefined ? [job] : [];
    });
    const done = await inWidth(
      WALK_WIDTH,
      held,
      async (job) => (await engine.store.write(holdTouched(engine, job))).ok,
    );
    left = held.flatMap((job, at) => (done[at] === true ? [] : [job.pk]));
  }
}
