/** What Lambda hands to a function that a queue starts, and what it takes as the answer. */
import * as z from 'zod';

/** Those that are named come again, the others are deleted from the queue. */
export interface QueueBatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const QueueBatch = z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) });

export function readQueueBatch(event: unknown): z.infer<typeof QueueBatch>['Records'] {
  return QueueBatch.parse(event).Records;
}
