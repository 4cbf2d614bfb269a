/** What Lambda hands to a function that a stream starts, and what it takes as the answer. */
import * as z from 'zod';

/** The first that failed, by its number in the stream, and all behind it come again. */
export interface StreamBatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

const StreamBatch = z.object({ Records: z.array(z.unknown()) });

/** The records, none of them looked at yet: one that cannot be read must not take the others with it. */
export function readStreamBatch(event: unknown): readonly unknown[] {
  return StreamBatch.parse(event).Records;
}
