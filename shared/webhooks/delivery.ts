/** A delivery's row as it goes through its attempts. Pure: what an attempt makes of the row, and when it is due. */
import { LAYOUT_VERSION } from '../store/items.ts';
import { deliveryKey, deliveryLane, deliveryPos } from '../store/keys.ts';
import type { Attempt, DeliveryItem } from '../store/webhook-items.ts';
import { nextWait } from './ladder.ts';
import type { QueuedMessage, SendMessage } from './message.ts';
import { ATTEMPTS_KEPT, DELIVERY_RETENTION_MS, DELIVERY_SHARDS, OVERDUE_MS } from './policy.ts';

/** The event of a delivery, as its row names it. */
export interface DeliveredEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
  readonly boardId: string;
  /** When it happened, in ms. */
  readonly at: number;
}

/** What an attempt came to. `retryAfterMs`: what the receiver asked for, if it did. */
export type Verdict =
  | { readonly kind: 'delivered' | 'aborted' }
  | { readonly kind: 'failed'; readonly retryAfterMs: number | null };

/** A delivery that is to be made at once. */
export function newDelivery(event: DeliveredEvent, webhookId: string, now: number): DeliveryItem {
  return placed({
    ...deliveryKey(webhookId, event.at, event.id),
    v: LAYOUT_VERSION,
    board_id: event.boardId,
    webhook_id: webhookId,
    event_id: event.id,
    subject: event.subject,
    sequence: event.sequence,
    type: event.type,
    at: event.at,
    status: 'pending',
    made: 0,
    attempts: [],
    next_attempt_at: now,
    rev: 1,
    created_at: now,
    updated_at: now,
    ttl: Math.ceil((now + DELIVERY_RETENTION_MS) / 1_000),
  });
}

/** A delivery that was made or given up, to be made again from the first attempt on. */
export function begunAnew(row: DeliveryItem, now: number): DeliveryItem {
  return placed({ ...row, status: 'pending', made: 0, next_attempt_at: now });
}

/** One attempt is wanted now, whatever became of those before. */
export function askedByHand(row: DeliveryItem, now: number): DeliveryItem {
  return placed({ ...row, by_hand_at: now });
}

/** A delivery that has this one attempt and no ladder. */
export function newTest(event: DeliveredEvent, webhookId: string, now: number): DeliveryItem {
  const { next_attempt_at: _, ...row } = newDelivery(event, webhookId, now);
  return askedByHand(row, now);
}

/**
 * The row after an attempt. A copy of a message whose attempt is counted already adds to the log, and moves the
 * ladder no further.
 *
 * @param random Uniform in [0, 1).
 */
export function afterAttempt(
  row: DeliveryItem,
  message: SendMessage,
  attempt: Attempt,
  verdict: Verdict,
  random: number,
): DeliveryItem {
  const logged = { ...row, attempts: [...row.attempts, attempt].slice(-ATTEMPTS_KEPT) };
  if (message.kind === 'by_hand') delete logged.by_hand_at;
  if (verdict.kind === 'delivered') return ended(logged, 'delivered');
  if (message.kind === 'by_hand') {
    const isFirst = row.status === 'pending' && row.next_attempt_at === undefined;
    return placed(isFirst ? { ...logged, status: 'failed' } : logged);
  }
  if (!isNext(row, message.made)) return placed(logged);
  if (verdict.kind !== 'failed') return ended(logged, 'aborted');
  const made = row.made + 1;
  const wait = nextWait(made, random, verdict.retryAfterMs);
  if (wait === null) return ended({ ...logged, made }, 'exhausted');
  const ended_at = attempt.at + attempt.duration_ms;
  return placed({ ...logged, made, status: 'failed', next_attempt_at: ended_at + wait });
}

function ended(row: DeliveryItem, status: 'delivered' | 'exhausted' | 'aborted'): DeliveryItem {
  const { next_attempt_at: _, ...rest } = row;
  return placed({ ...rest, status });
}

/** In the index while an attempt is to come, at the time when it is overdue; out of it after. */
function placed(row: DeliveryItem): DeliveryItem {
  const { lane: _lane, pos: _pos, ...rest } = row;
  const due = Math.min(row.next_attempt_at ?? Infinity, row.by_hand_at ?? Infinity);
  return due === Infinity ? rest : { ...rest, ...overdueAt(row.webhook_id, due + OVERDUE_MS) };
}

/** Keys of the index for what must be looked for at a time. */
export function overdueAt(webhookId: string, at: number): { lane: string; pos: string } {
  const spread = webhookId.charCodeAt(webhookId.length - 1) % DELIVERY_SHARDS;
  return { lane: deliveryLane(spread), pos: deliveryPos(at) };
}

/** True for a message whose attempt is still to be made. */
export function isWanted(row: DeliveryItem, message: SendMessage): boolean {
  if (message.kind === 'by_hand') return row.by_hand_at !== undefined;
  return isNext(row, message.made);
}

/** True while the attempt after so many is still to be counted. */
export function isNext(row: DeliveryItem, made: number): boolean {
  return row.next_attempt_at !== undefined && row.made === made;
}

/** The message of the next attempt of the ladder; none when there is no next. */
export function attemptMessages(row: DeliveryItem, now: number): QueuedMessage[] {
  if (row.next_attempt_at === undefined) return [];
  const delayMs = Math.max(0, row.next_attempt_at - now);
  return [{ message: { kind: 'attempt', ...idsOf(row), made: row.made }, delayMs }];
}

export function byHandMessage(row: DeliveryItem): QueuedMessage {
  return { message: { kind: 'by_hand', ...idsOf(row) }, delayMs: 0 };
}

function idsOf({ board_id, webhook_id, event_id, at }: DeliveryItem) {
  return { board_id, webhook_id, event_id, at, crowded: 0 };
}
