/** Reading and changing the webhooks of a board. Always strongly: one that was just made misses no event. */
import { endpointKey, WEBHOOK_PREFIX, webhookKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { WebhookSchema, type WebhookItem } from '../store/webhook-items.ts';
import { changeRevised } from './change-revised.ts';

export async function readWebhook(
  store: Store,
  boardId: string,
  webhookId: string,
): Promise<WebhookItem | undefined> {
  const item = await store.get(webhookKey(boardId, webhookId));
  return item === undefined ? undefined : WebhookSchema.parse(item);
}

/** All webhooks of a board, the oldest first. */
export async function webhooksOf(store: Store, boardId: string): Promise<WebhookItem[]> {
  const webhooks: WebhookItem[] = [];
  const rows = store.pages({
    pk: { name: 'pk', value: boardId },
    sk: { name: 'sk', prefix: WEBHOOK_PREFIX },
    consistent: true,
  });
  for await (const items of rows) webhooks.push(...items.map((item) => WebhookSchema.parse(item)));
  return webhooks;
}

/** @returns the webhook as it is then; undefined when it is gone. See `changeRevised`. */
export async function changeWebhook(
  store: Store,
  webhook: WebhookItem,
  now: number,
  change: (webhook: WebhookItem) => WebhookItem | null,
): Promise<WebhookItem | undefined> {
  return changeRevised(store, webhook, now, (item) => WebhookSchema.parse(item), change);
}

/** With what is known of its endpoint; its deliveries expire by themselves, and are not sent any more. */
export async function removeWebhook(store: Store, { board_id, webhook_id }: WebhookItem): Promise<void> {
  await store.write({ kind: 'delete', key: webhookKey(board_id, webhook_id) });
  await store.write({ kind: 'delete', key: endpointKey(webhook_id) });
}

export async function removeWebhooks(store: Store, boardId: string): Promise<void> {
  for (const webhook of await webhooksOf(store, boardId)) await removeWebhook(store, webhook);
}
