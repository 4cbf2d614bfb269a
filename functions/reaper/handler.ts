import { REAPER_BUDGET_MS } from '../../shared/policy.ts';
import { reap, type Reaped } from '../../shared/verbs/reap.ts';
import { attachmentBucket } from '../attachment-bucket.ts';
import { createInstance } from '../engine.ts';
import { queueOutlet } from '../webhook-outlet.ts';

const { engine, log } = createInstance(null, queueOutlet, attachmentBucket);

/** What it throws is the scheduler's to try again, and ends in its dead-letter queue. */
export async function handler(): Promise<Reaped> {
  const startedAt = engine.deps.now();
  const done = await reap(engine, startedAt + REAPER_BUDGET_MS);
  log('INFO', 'reaped', { ms: engine.deps.now() - startedAt, ...done });
  return done;
}
