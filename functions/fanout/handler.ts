import { eventBridgeClient, eventBusStep } from '../../shared/aws/event-bus.ts';
import { readEnv } from '../../shared/env.ts';
import { createFanOut } from '../../shared/events/fan-out.ts';
import type { Report } from '../../shared/events/step.ts';
import { wakeStep } from '../../shared/links/wake-step.ts';
import { deliveriesStep } from '../../shared/webhooks/deliveries-step.ts';
import { createInstance } from '../engine.ts';
import type { LogFields } from '../http/log.ts';
import { metricFields } from '../metrics.ts';
import { queueOutlet } from '../webhook-outlet.ts';
import { countExpired, type Expired } from './count-expired.ts';
import { readStreamBatch, type StreamBatchAnswer } from './stream-batch.ts';

const { engine, log } = createInstance(null, queueOutlet);
const { store, deps } = engine;
const report: Report = (message, fields, level = 'ERROR') => log(level, message, fields);

const NO_LEASES: Expired = { total: 0, columns: new Map() };
/** Of the batch at hand: an instance has one at a time. */
let expired = NO_LEASES;
const NONE_AGAIN: ReadonlySet<string> = new Set();

const fanOut = createFanOut({
  store,
  deps,
  report,
  steps: {
    count: async (events) => {
      expired = await countExpired(engine, events);
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
  expired = NO_LEASES;
  const { events, failed } = await fanOut(records);
  const counts = { records: records.length, events, failed: failed.length };
  log('INFO', 'fanned out', { ms: deps.now() - startedAt, ...counts, ...expiredFields(startedAt) });
  for (const id of expired.columns.keys()) log('INFO', 'leases expired', expiredFields(startedAt, id));
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Nothing where none has expired: a metric has its price by the hour in which it has values. */
function expiredFields(now: number, column?: string): LogFields {
  const count = column === undefined ? expired.total : (expired.columns.get(column) ?? 0);
  if (count === 0) return {};
  return metricFields(readEnv('METRICS_NAMESPACE'), now, { expired: count }, column);
}
