/**
 * Webhooks' part of a fan-out: a row and then a message for each event and each webhook that wants it. The row comes
 * first, so that what becomes of the message loses nothing; both may be done twice.
 */
import type { Deps } from '../deps.ts';
import type { OutgoingEvent } from '../events/log.ts';
import type { FanOutStep, Report } from '../events/step.ts';
import type { Store } from '../store/store.ts';
import type { WebhookItem } from '../store/webhook-items.ts';
import { inWidth } from '../width.ts';
import { attemptMessages } from './delivery.ts';
import { putDelivery } from './delivery-rows.ts';
import { isLastFor, mayWant, wantedOf } from './matching.ts';
import type { DeliveryQueue, QueuedMessage } from './message.ts';
import { ROWS_WIDTH } from './policy.ts';
import { turnedOff } from './webhook.ts';
import { changeWebhook, webhooksOf } from './webhook-rows.ts';

export interface DeliveryParts {
  readonly store: Store;
  readonly deps: Deps;
  readonly queue: DeliveryQueue;
  readonly report: Report;
}

/** A board whose webhooks, rows or messages fail comes again; the others of the batch are done. */
export function deliveriesStep(parts: DeliveryParts): FanOutStep {
  return async (events) => {
    const again = new Set<string>();
    for (const [boardId, own] of Map.groupBy(events, (event) => event.boardId)) {
      try {
        await deliverBoard(parts, boardId, own);
      } catch (error) {
        for (const { id } of own) again.add(id);
        const reason = error instanceof Error ? error.name : 'unknown';
        parts.report('deliveries not queued', { board_id: boardId, events: own.length, reason }, 'WARN');
      }
    }
    return again;
  };
}

async function deliverBoard(
  parts: DeliveryParts,
  boardId: string,
  events: readonly OutgoingEvent[],
): Promise<void> {
  const webhooks = (await webhooksOf(parts.store, boardId)).filter(({ enabled }) => enabled);
  if (webhooks.length === 0) return;
  const matches = events.flatMap((event) =>
    webhooks.filter((webhook) => mayWant(webhook, event)).map((webhook) => ({ event, webhook })),
  );
  const wanted = await wantedOf(parts.store, matches);
  const queued = await inWidth(ROWS_WIDTH, wanted, async ({ event, webhook }) =>
    queuedFor(parts, event, webhook.webhook_id),
  );
  await parts.queue.send(queued.flat());
  for (const webhook of webhooks) {
    if (events.some((event) => isLastFor(webhook, event))) await endSubscription(parts, webhook);
  }
}

/** One that came before and has had no attempt may have lost its message: it gets another. */
async function queuedFor(
  { store, deps }: DeliveryParts,
  event: OutgoingEvent,
  webhookId: string,
): Promise<QueuedMessage[]> {
  const now = deps.now();
  const { row, isNew } = await putDelivery(store, event, webhookId, now);
  return isNew || row.attempts.length === 0 ? attemptMessages(row, now) : [];
}

async function endSubscription({ store, deps }: DeliveryParts, webhook: WebhookItem): Promise<void> {
  const now = deps.now();
  await changeWebhook(store, webhook, now, (current) =>
    current.enabled ? turnedOff(current, 'card_archived', now) : null,
  );
}
