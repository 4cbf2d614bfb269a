/**
 * Recovery: going through a board's feed since a time, and delivering what a webhook wants and has not got. In
 * stretches, each of which leaves its place on the webhook: what is lost on the way goes on from there.
 */
import type { Engine } from '../engine.ts';
import { eventOfRow } from '../events/show-events.ts';
import { entryCardId, entryEventId, entryKey, type FeedEntry } from '../events/feed-entry.ts';
import { newestPage } from '../events/feed-pages.ts';
import { readFeed, recentPosition, type FedEntry } from '../events/read-feed.ts';
import { FEED_OVERLAP_MS } from '../policy.ts';
import { feedPageNumber } from '../store/keys.ts';
import type { DeliveryItem, WebhookItem } from '../store/webhook-items.ts';
import { inWidth } from '../width.ts';
import { attemptMessages, begunAnew, overdueAt, type DeliveredEvent } from './delivery.ts';
import { changeDelivery, putDelivery } from './delivery-rows.ts';
import { mayWant, wantedOf } from './matching.ts';
import type { QueuedMessage } from './message.ts';
import { OVERDUE_MS, RECOVER_STEP_MS, ROWS_WIDTH } from './policy.ts';
import { changeWebhook, readWebhook } from './webhook-rows.ts';

/** Events looked at between two looks at the clock. */
const STRETCH_EVENTS = 100;

/** Notes where the recovery begins, and queues its first stretch. */
export async function startRecovery(
  engine: Engine,
  webhook: WebhookItem,
  since: number,
): Promise<WebhookItem> {
  const { store, deps, webhooks } = engine;
  const last = await newestPage(store, webhook.board_id);
  const until_page = last === undefined ? 0 : feedPageNumber(last);
  // A millisecond earlier: the page of that very time holds what happened in it.
  const [page, offset] = await recentPosition(store, webhook.board_id, since - 1 + FEED_OVERLAP_MS);
  const now = deps.now();
  const place = overdueAt(webhook.webhook_id, now + OVERDUE_MS);
  const noted = await changeWebhook(store, webhook, now, (current) => ({
    ...current,
    recovery: earlier(current.recovery, { since, page, offset, until_page }),
    ...place,
  }));
  await webhooks.queue.send([recoverMessage(webhook)]);
  return noted ?? webhook;
}

type Recovery = NonNullable<WebhookItem['recovery']>;

function earlier(running: Recovery | undefined, asked: Recovery): Recovery {
  if (running === undefined || asked.page < running.page) return asked;
  return { ...running, since: Math.min(running.since, asked.since), until_page: asked.until_page };
}

export function recoverMessage({ board_id, webhook_id }: WebhookItem): QueuedMessage {
  return { message: { kind: 'recover', board_id, webhook_id }, delayMs: 0 };
}

/** One stretch: until the end, or until the time is up and another message goes on. */
export async function recoverOn(engine: Engine, boardId: string, webhookId: string): Promise<void> {
  const { store, deps, webhooks } = engine;
  const until = deps.now() + RECOVER_STEP_MS;
  let webhook = await readWebhook(store, boardId, webhookId);
  while (webhook?.recovery !== undefined) {
    if (deps.now() >= until) {
      await webhooks.queue.send([recoverMessage(webhook)]);
      return;
    }
    webhook = await stretch(engine, webhook, webhook.recovery);
  }
}

async function stretch(
  engine: Engine,
  webhook: WebhookItem,
  recovery: Recovery,
): Promise<WebhookItem | undefined> {
  const { store, deps, webhooks } = engine;
  const { page, offset, since, until_page } = recovery;
  const read = await readFeed(store, webhook.board_id, [page, offset], STRETCH_EVENTS, (entry) =>
    mayWant(webhook, matchOf(entry)),
  );
  if (webhook.enabled) {
    const matches = read.entries.map((entry) => ({ webhook, event: matchOf(entry), entry }));
    const wanted = (await wantedOf(store, matches)).map(({ entry }) => entry);
    const events = await eventsOf(engine, webhook.board_id, wanted);
    const missed = await inWidth(
      ROWS_WIDTH,
      events.filter(({ at }) => at >= since),
      async (event) => deliverMissed(engine, webhook.webhook_id, event),
    );
    await webhooks.queue.send(missed.flat());
  }
  const [nextPage, nextOffset] = read.next;
  const isOver = nextPage > until_page || (nextPage === page && nextOffset === offset);
  return changeWebhook(store, webhook, deps.now(), (current) =>
    moved(current, recovery, isOver ? null : { page: nextPage, offset: nextOffset }, deps.now()),
  );
}

function matchOf(entry: FeedEntry) {
  return { type: entry.type, cardId: entryCardId(entry) };
}

/** Null leaves it: somebody has asked for another recovery meanwhile. */
function moved(
  webhook: WebhookItem,
  from: Recovery,
  next: { page: number; offset: number } | null,
  now: number,
): WebhookItem | null {
  const { recovery, lane: _lane, pos: _pos, ...rest } = webhook;
  if (recovery?.page !== from.page || recovery.offset !== from.offset || recovery.since !== from.since)
    return null;
  if (next === null) return rest;
  const place = overdueAt(webhook.webhook_id, now + OVERDUE_MS);
  return { ...rest, recovery: { ...recovery, ...next }, ...place };
}

/** Events that are still kept, with the time that their deliveries are filed under. */
async function eventsOf(
  { store }: Engine,
  boardId: string,
  entries: readonly FedEntry[],
): Promise<DeliveredEvent[]> {
  const rows = await store.batchGet(entries.map(entryKey));
  return entries.flatMap((entry, at) => {
    const row = rows[at];
    if (row === undefined) return [];
    const { subject, sequence, type } = entry;
    const happened = Date.parse(eventOfRow(row).timestamp);
    return [{ id: entryEventId(entry), type, subject, sequence, boardId, at: happened }];
  });
}

/** Nothing for what was delivered, or is still being tried. */
async function deliverMissed(
  { store, deps }: Engine,
  webhookId: string,
  event: DeliveredEvent,
): Promise<QueuedMessage[]> {
  const now = deps.now();
  const { row, isNew } = await putDelivery(store, event, webhookId, now);
  if (isNew) return attemptMessages(row, now);
  if (!isMissed(row)) return [];
  const again = await changeDelivery(store, row, now, (current) =>
    isMissed(current) ? begunAnew(current, now) : null,
  );
  return again === undefined ? [] : attemptMessages(again, now);
}

function isMissed({ status, next_attempt_at }: DeliveryItem): boolean {
  return ['failed', 'exhausted', 'aborted'].includes(status) && next_attempt_at === undefined;
}
