import { createPost } from '../../shared/webhooks/post.ts';
import { sendBatch } from '../../shared/webhooks/send-batch.ts';
import { fetchLeaseKeys } from '../../shared/lease-keys.ts';
import { createInstance } from '../engine.ts';
import { senderOutlet } from '../webhook-outlet.ts';
import { readQueueBatch, type QueueBatchAnswer } from './queue-batch.ts';

const { engine, log, ready } = createInstance(fetchLeaseKeys, senderOutlet);
const parts = {
  engine,
  post: createPost({ targets: engine.webhooks.targets }),
  report: (message: string, fields: object) => log('ERROR', message, { ...fields }),
};

/** What it throws makes the whole batch come again; each message may, and none is sent twice for it knowingly. */
export async function handler(event: unknown): Promise<QueueBatchAnswer> {
  const startedAt = engine.deps.now();
  const messages = readQueueBatch(event);
  await ready();
  const failed = await sendBatch(
    parts,
    messages.map(({ body }) => body),
  );
  log('INFO', 'sent', {
    ms: engine.deps.now() - startedAt,
    messages: messages.length,
    failed: failed.length,
  });
  return { batchItemFailures: failed.map((at) => ({ itemIdentifier: messages[at]?.messageId ?? '' })) };
}
