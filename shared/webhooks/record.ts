/** What becomes of a delivery's row, and the message of its next attempt. */
import type { Attempt, WebhookItem } from '../store/webhook-items.ts';
import { afterAttempt, attemptMessages, isNext, type Verdict } from './delivery.ts';
import { changeDelivery } from './delivery-rows.ts';
import type { QueuedMessage } from './message.ts';
import { CROWDED_FIRST_MS, CROWDED_GROWTH, CROWDED_MAX_MS } from './policy.ts';
import type { SenderParts, Wanted } from './sender.ts';

export interface Recorded {
  readonly queued: readonly QueuedMessage[];
  /** This was the ladder's last attempt. */
  readonly exhausted: boolean;
}

export async function record(
  { engine: { store, deps } }: SenderParts,
  { row, message }: Pick<Wanted, 'row' | 'message'>,
  attempt: Attempt,
  verdict: Verdict,
): Promise<Recorded> {
  const now = deps.now();
  // By this attempt or by a copy of its message: the message that follows is for whoever has counted it.
  let isOurs = false;
  const after = await changeDelivery(store, row, now, (current) => {
    isOurs = message.kind === 'attempt' && isNext(current, message.made);
    return afterAttempt(current, message, attempt, verdict, deps.random());
  });
  if (!isOurs || after === undefined) return { queued: [], exhausted: false };
  return { queued: attemptMessages(after, now), exhausted: after.status === 'exhausted' };
}

/** Not sent, since the endpoint gives no answer: straight to its next time. One wanted by hand waits its turn. */
export async function passOver(
  parts: SenderParts,
  webhook: WebhookItem,
  wanted: Wanted,
): Promise<readonly QueuedMessage[]> {
  if (wanted.message.kind === 'by_hand') return comeBack(parts, wanted);
  const attempt = notSent(
    parts,
    webhook,
    'Not sent: the endpoint has stopped answering, and is being probed',
  );
  return (await record(parts, wanted, attempt, { kind: 'failed', retryAfterMs: null })).queued;
}

/** Not sent, and never to be: its webhook is gone or turned off. */
export async function giveUp(
  parts: SenderParts,
  wanted: Wanted,
  webhook: WebhookItem | undefined,
): Promise<void> {
  const why = webhook === undefined ? 'The webhook was deleted' : 'The webhook is disabled';
  const { store, deps } = parts.engine;
  await changeDelivery(store, wanted.row, deps.now(), (row) => {
    const { by_hand_at: _, ...rest } = row;
    const attempt = notSent(parts, webhook, `Not sent: ${why}`);
    return afterAttempt(
      rest,
      { ...wanted.message, kind: 'attempt', made: row.made },
      attempt,
      { kind: 'aborted' },
      0,
    );
  });
}

/** The same message, a little later each time. */
export function comeBack({ engine: { deps } }: SenderParts, { message }: Wanted): QueuedMessage[] {
  const wait = Math.min(CROWDED_FIRST_MS * CROWDED_GROWTH ** message.crowded, CROWDED_MAX_MS);
  const delayMs = Math.round(wait * (1 + deps.random()) * 0.75);
  return [{ message: { ...message, crowded: message.crowded + 1 }, delayMs }];
}

function notSent({ engine }: SenderParts, webhook: WebhookItem | undefined, error: string): Attempt {
  return { at: engine.deps.now(), url: webhook?.url ?? '', duration_ms: 0, error };
}
