import { REAPER_BUDGET_MS } from '../../shared/policy.ts';
import { readEnv } from '../../shared/env.ts';
import { GAUGES_BUDGET_MS, GAUGES_EVERY_MS } from '../../shared/stats/policy.ts';
import { queueGauges, type QueueGauges } from '../../shared/stats/queue-gauges.ts';
import { reap, type Reaped } from '../../shared/verbs/reap.ts';
import { attachmentBucket } from '../attachment-bucket.ts';
import { createInstance } from '../engine.ts';
import { describeError } from '../http/log.ts';
import { metricFields } from '../metrics.ts';
import { queueOutlet } from '../webhook-outlet.ts';
import { SECOND_MS } from '../../shared/units.ts';

/** Between two runs: the manifest's `everyMinutes`. */
const TICK_MS = 60_000;

const { engine, log } = createInstance(null, queueOutlet, attachmentBucket);

function valuesOf({ ready, leased, dead, ageMs }: QueueGauges) {
  return { ready, leased, dead, queueAge: Math.floor(ageMs / SECOND_MS) };
}

/** Every so many runs, by the clock: instances come and go. */
async function measure(): Promise<void> {
  const now = engine.deps.now();
  if (Math.floor(now / TICK_MS) % (GAUGES_EVERY_MS / TICK_MS) !== 0) return;
  const namespace = readEnv('METRICS_NAMESPACE');
  const { total, columns, unmeasured } = await queueGauges(engine, now + GAUGES_BUDGET_MS);
  log('INFO', 'queues', metricFields(namespace, now, valuesOf(total)));
  for (const [id, own] of columns) log('INFO', 'queue', metricFields(namespace, now, valuesOf(own), id));
  if (unmeasured > 0) log('WARN', 'columns not measured by themselves', { unmeasured });
}

/** What it throws is the scheduler's to try again, and ends in its dead-letter queue. */
export async function handler(): Promise<Reaped> {
  const startedAt = engine.deps.now();
  await measure().catch((error: unknown) =>
    log('ERROR', 'queues not measured', { error: describeError(error) }),
  );
  const done = await reap(engine, startedAt + REAPER_BUDGET_MS);
  log('INFO', 'reaped', { ms: engine.deps.now() - startedAt, ...done });
  return done;
}
