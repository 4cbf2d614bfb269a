import { eventBridgeClient, eventBusStep } from '../../shared/aws/event-bus.ts';
import { readEnv } from '../../shared/env.ts';
import { createFanOut } from '../../shared/events/fan-out.ts';
import type { Report } from '../../shared/events/step.ts';
import { wakeStep } from '../../shared/links/wake-step.ts';
import { deliveriesStep } from '../../shared/webhooks/deliveries-step.ts';
import { createInstance } from '../engine.ts';
import { queueOutlet } from '../webhook-outlet.ts';
import { readStreamBatch, type StreamBatchAnswer } from './stream-batch.ts';

const { engine, log } = createInstance(null, queueOutlet);
const { store, deps } = engine;
const report: Report = (message, fields, level = 'ERROR') => log(level, message, fields);

const fanOut = createFanOut({
  store,
  deps,
  report,
  steps: {
    bus: eventBusStep({ busName: readEnv('EVENT_BUS_NAME'), client: eventBridgeClient(), deps, report }),
    webhooks: deliveriesStep({ store, deps, report, queue: engine.webhooks.queue }),
    waking: wakeStep(engine),
  },
});

/** What it throws makes the whole batch come again, in halves. */
export async function handler(event: unknown): Promise<StreamBatchAnswer> {
  const startedAt = deps.now();
  const records = readStreamBatch(event);
  const { events, failed } = await fanOut(records);
  const counts = { records: records.length, events, failed: failed.length };
  log('INFO', 'fanned out', { ms: deps.now() - startedAt, ...counts });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
