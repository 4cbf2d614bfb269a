/**
 * Deliveries and recoveries whose message was lost: with a queue that was emptied, a function that was killed, a
 * schedule that never fired. The reaper finds them by their time in the index and queues them again.
 */
import type { Engine } from '../engine.ts';
import { deliveryLane, deliveryPos } from '../store/keys.ts';
import type { Item } from '../store/params.ts';
import { LANES_INDEX } from '../store/table.ts';
import {
  DeliverySchema,
  WebhookSchema,
  type DeliveryItem,
  type WebhookItem,
} from '../store/webhook-items.ts';
import { inWidth } from '../width.ts';
import { attemptMessages, byHandMessage, overdueAt } from './delivery.ts';
import { changeDelivery } from './delivery-rows.ts';
import type { QueuedMessage } from './message.ts';
import { DELIVERY_SHARDS, OVERDUE_MS, OVERDUE_PAGE, REQUEUE_PAUSE_MAX_MS, ROWS_WIDTH } from './policy.ts';
import { recoverMessage } from './recovery.ts';
import { changeWebhook } from './webhook-rows.ts';

/** Goes on until none is overdue or the clock passes `until`. Answers how many it queued. */
export async function requeueOverdue(engine: Engine, until: number): Promise<number> {
  let requeued = 0;
  for (let shard = 0; shard < DELIVERY_SHARDS; shard += 1) {
    let start: Item | undefined;
    do {
      if (engine.deps.now() >= until) return requeued;
      const page = await overduePage(engine, shard, start);
      const messages = (
        await inWidth(ROWS_WIDTH, page.found, async (found) => requeueOne(engine, found))
      ).flat();
      await engine.webhooks.queue.send(messages);
      requeued += messages.length;
      start = page.next;
    } while (start !== undefined);
  }
  return requeued;
}

interface Found {
  readonly item: Item;
  /** As the index has it, which may be behind. */
  readonly pos: unknown;
}

async function overduePage({ store, deps }: Engine, shard: number, start: Item | undefined) {
  const { items, next } = await store.query({
    index: LANES_INDEX,
    pk: { name: 'lane', value: deliveryLane(shard) },
    sk: { name: 'pos', until: deliveryPos(deps.now()) },
    limit: OVERDUE_PAGE,
    ...(start === undefined ? {} : { start }),
  });
  const rows = await store.batchGet(items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
  const found: Found[] = items.flatMap(({ pos }, at) => {
    const item = rows[at];
    return item === undefined || item['pos'] !== pos ? [] : [{ item, pos }];
  });
  return { found, next };
}

/** Moves it out of the way first: a long queue must not be made longer by its own copies each minute. */
async function requeueOne(engine: Engine, { item, pos }: Found): Promise<QueuedMessage[]> {
  const delivery = DeliverySchema.safeParse(item).data;
  if (delivery !== undefined) return requeueDelivery(engine, delivery, pos);
  const webhook = WebhookSchema.safeParse(item).data;
  return webhook === undefined ? [] : requeueRecovery(engine, webhook, pos);
}

async function requeueDelivery(
  { store, deps }: Engine,
  row: DeliveryItem,
  pos: unknown,
): Promise<QueuedMessage[]> {
  const now = deps.now();
  const due = Math.min(row.next_attempt_at ?? now, row.by_hand_at ?? now);
  const later = overdueAt(row.webhook_id, now + pauseAfter(now - due));
  const moved = await changeDelivery(store, row, now, (current) =>
    current.pos === pos ? { ...current, ...later } : null,
  );
  if (moved?.pos !== later.pos) return [];
  // One wanted by hand may be overdue while the ladder's own next attempt is hours away, and has its message.
  const isDue = (moved.next_attempt_at ?? Infinity) <= now;
  return [
    ...(isDue ? attemptMessages(moved, now) : []),
    ...(moved.by_hand_at === undefined ? [] : [byHandMessage(moved)]),
  ];
}

/** @param late Milliseconds since it was due. */
function pauseAfter(late: number): number {
  return Math.min(Math.max(late, OVERDUE_MS), REQUEUE_PAUSE_MAX_MS);
}

async function requeueRecovery(
  { store, deps }: Engine,
  webhook: WebhookItem,
  pos: unknown,
): Promise<QueuedMessage[]> {
  const now = deps.now();
  const later = overdueAt(webhook.webhook_id, now + REQUEUE_PAUSE_MAX_MS);
  const moved = await changeWebhook(store, webhook, now, (current) =>
    current.pos === pos ? { ...current, ...later } : null,
  );
  return moved?.pos === later.pos ? [recoverMessage(moved)] : [];
}
