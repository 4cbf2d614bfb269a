/** Reading what an answer shows beside the webhook's or the delivery's own item. */
import type { Engine } from '../engine.ts';
import { textOfRow } from '../events/log.ts';
import { EventRowSchema } from '../store/event-items.ts';
import { endpointKey, eventKey } from '../store/keys.ts';
import type { DeliveryItem, WebhookItem } from '../store/webhook-items.ts';
import { deliveryView, webhookView, type DeliveryView, type WebhookView } from '../views/webhook.ts';
import { parseEndpoint } from './endpoint.ts';

export async function showWebhooks(
  { store, deps }: Engine,
  webhooks: readonly WebhookItem[],
): Promise<WebhookView[]> {
  const endpoints = await store.batchGet(webhooks.map(({ webhook_id }) => endpointKey(webhook_id)));
  return webhooks.map((webhook, at) => webhookView(webhook, parseEndpoint(endpoints[at]), deps.now()));
}

export async function showWebhook({ store, deps }: Engine, webhook: WebhookItem): Promise<WebhookView> {
  const endpoint = parseEndpoint(await store.get(endpointKey(webhook.webhook_id)));
  return webhookView(webhook, endpoint, deps.now());
}

export async function showDeliveries(
  { store }: Engine,
  rows: readonly DeliveryItem[],
): Promise<DeliveryView[]> {
  const events = await store.batchGet(rows.map(({ subject, sequence }) => eventKey(subject, sequence)));
  return rows.map((row, at) => deliveryView(row, bodyOf(events[at])));
}

export async function showDelivery({ store }: Engine, row: DeliveryItem): Promise<DeliveryView> {
  return deliveryView(row, bodyOf(await store.get(eventKey(row.subject, row.sequence))));
}

function bodyOf(item: unknown): string | null {
  return item === undefined ? null : textOfRow(EventRowSchema.parse(item));
}
