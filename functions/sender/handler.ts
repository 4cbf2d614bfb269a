import { createPost } from '../../shared/webhooks/post.ts';
import { sendBatch } from '../../shared/webhooks/send-batch.ts';
import { fetchLeaseKeys } from '../../shared/lease-keys.ts';
import { readEnv } from '../../shared/env.ts';
import type { SenderParts } from '../../shared/webhooks/sender.ts';
import { createInstance } from '../engine.ts';
import { metricFields } from '../metrics.ts';
import { senderOutlet } from '../webhook-outlet.ts';
import { readQueueBatch, type QueueBatchAnswer } from './queue-batch.ts';

const { engine, log, ready } = createInstance(fetchLeaseKeys, senderOutlet);
const post = createPost({ targets: engine.webhooks.targets });
/** Of the batch at hand: an instance has one at a time. */
let failures = 0;
const parts: SenderParts = {
  engine,
  post: async (...request) => {
    const result = await post(...request);
    if (!('answer' in result) || !isTaken(result.answer.status)) failures += 1;
    return result;
  },
  report: (message, fields) => log('ERROR', message, { ...fields }),
};

const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** What it throws makes the whole batch come again; each message may, and none is sent twice for it knowingly. */
export async function handler(event: unknown): Promise<QueueBatchAnswer> {
  const startedAt = engine.deps.now();
  const messages = readQueueBatch(event);
  failures = 0;
  await ready();
  const failed = await sendBatch(
    parts,
    messages.map(({ body }) => body),
  );
  log('INFO', 'sent', {
    ms: engine.deps.now() - startedAt,
    messages: messages.length,
    failed: failed.length,
    ...metricFields(readEnv('METRICS_NAMESPACE'), startedAt, { webhookFailures: failures }),
  });
  return { batchItemFailures: failed.map((at) => ({ itemIdentifier: messages[at]?.messageId ?? '' })) };
}
