/** Reading and changing the webhooks of a board. Always strongly: one that was just made misses no event. */
import type { Engine } from '../engine.ts';
import { goingPut } from '../going-away/register.ts';
import { WEBHOOK_PREFIX, webhookKey } from '../store/keys.ts';
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

/** Its deliveries are not sent any more; they and what is known of its endpoint are left to the reaper. */
export async function removeWebhook(engine: Engine, { board_id, webhook_id }: WebhookItem): Promise<void> {
  await engine.store.write(goingPut(engine, webhook_id, board_id));
  await engine.store.write({ kind: 'delete', key: webhookKey(board_id, webhook_id) });
}

export async function removeWebhooks(engine: Engine, boardId: string): Promise<void> {
  for (const webhook of await webhooksOf(engine.store, boardId)) await removeWebhook(engine, webhook);
}
