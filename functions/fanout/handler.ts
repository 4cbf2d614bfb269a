import { eventBridgeClient, eventBusStep } from '../../shared/aws/event-bus.ts';
import { readEnv } from '../../shared/env.ts';
import { createFanOut } from '../../shared/events/fan-out.ts';
import type { Report } from '../../shared/events/step.ts';
import { wakeStep } from '../../shared/links/wake-step.ts';
import { deliveriesStep } from '../../shared/webhooks/deliveries-step.ts';
import { createInstance } from '../engine.ts';
import { metricFields } from '../metrics.ts';
import { queueOutlet } from '../webhook-outlet.ts';
import { readStreamBatch, type StreamBatchAnswer } from './stream-batch.ts';

const { engine, log } = createInstance(null, queueOutlet);
const { store, deps } = engine;
const report: Report = (message, fields, level = 'ERROR') => log(level, message, fields);

/** Leases that ended unheard, in the batch at hand: an instance has one at a time. */
let expired = 0;
const NONE_AGAIN: ReadonlySet<string> = new Set();

const fanOut = createFanOut({
  store,
  deps,
  report,
  steps: {
    count: async (events) => {
      expired += events.filter(({ type }) => type === 'card.lease.expired').length;
      return NONE_AGAIN;
    },
    bus: eventBusStep({ busName: readEnv('EVENT_BUS_NAME'), client: eventBridgeClient(), deps, report }),
    webhooks: deliveriesStep({ store, deps, report, queue: engine.webhooks.queue }),
    waking: wakeStep(engine),
  },
});

/** What it throws makes the whole batch come again, in halves. */
export async function handler(event: unknown): Promise<StreamBatchAnswer> {
  const startedAt = deps.now();
  const records = readStreamBatch(event);
  expired = 0;
  const { events, failed } = await fanOut(records);
  const counts = { records: records.length, events, failed: failed.length };
  const metrics = expired === 0 ? {} : metricFields(readEnv('METRICS_NAMESPACE'), startedAt, { expired });
  log('INFO', 'fanned out', { ms: deps.now() - startedAt, ...counts, ...metrics });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
