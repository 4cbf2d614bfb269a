/** What travels through the queue of deliveries: ids only. What is sent is read when it is sent. */
import * as z from 'zod';

const row = { board_id: z.string(), webhook_id: z.string(), event_id: z.string(), at: z.number() };

/** The next attempt of the ladder. One that finds another number of attempts made is a copy, and is dropped. */
const AttemptMessage = z.object({
  kind: z.literal('attempt'),
  ...row,
  made: z.number(),
  /** How often it found every slot of its endpoint taken. */
  crowded: z.number().default(0),
});

/** One attempt outside the ladder: a test, or a delivery that somebody wants once more. */
const ByHandMessage = z.object({ kind: z.literal('by_hand'), ...row, crowded: z.number().default(0) });

/** The next stretch of a recovery; how far it is stands on the webhook. */
const RecoverMessage = z.object({ kind: z.literal('recover'), board_id: z.string(), webhook_id: z.string() });

export const DeliveryMessageSchema = z.discriminatedUnion('kind', [
  AttemptMessage,
  ByHandMessage,
  RecoverMessage,
]);
export type DeliveryMessage = z.infer<typeof DeliveryMessageSchema>;
export type SendMessage = Exclude<DeliveryMessage, { kind: 'recover' }>;

export interface QueuedMessage {
  readonly message: DeliveryMessage;
  /** Milliseconds before it is to be seen; up to the longest wait of the ladder. */
  readonly delayMs: number;
}

/** Where messages are queued. */
export interface DeliveryQueue {
  /** Resolves when all are kept; some may be when it rejects. */
  send(messages: readonly QueuedMessage[]): Promise<void>;
}
