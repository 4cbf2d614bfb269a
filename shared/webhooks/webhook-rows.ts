/** Reading and changing the webhooks of a board. Always strongly: one that was just made misses no event. */
import { DECIDE_RETRIES } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { endpointKey, WEBHOOK_PREFIX, webhookKey } from '../store/keys.ts';
import { difference } from '../store/params.ts';
import type { Store } from '../store/store.ts';
import { WebhookSchema, type WebhookItem } from '../store/webhook-items.ts';

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
  let start: Record<string, unknown> | undefined;
  do {
    const page = await store.query({
      pk: { name: 'pk', value: boardId },
      sk: { name: 'sk', prefix: WEBHOOK_PREFIX },
      consistent: true,
      ...(start === undefined ? {} : { start }),
    });
    webhooks.push(...page.items.map((item) => WebhookSchema.parse(item)));
    start = page.next;
  } while (start !== undefined);
  return webhooks;
}

/**
 * Writes what `change` makes of the webhook, decided anew when another writer came between.
 *
 * @param change Null leaves it as it is.
 * @returns the webhook as it is then; undefined when it is gone.
 */
export async function changeWebhook(
  store: Store,
  webhook: WebhookItem,
  now: number,
  change: (webhook: WebhookItem) => WebhookItem | null,
): Promise<WebhookItem | undefined> {
  let before = webhook;
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const changed = change(before);
    if (changed === null) return before;
    const after = { ...changed, rev: before.rev + 1, updated_at: now };
    const written = await store.write({
      kind: 'update',
      key: { pk: before.pk, sk: before.sk },
      ...difference(before, after),
      condition: expression('#rev = :c_rev', { rev: before.rev }),
    });
    if (written.ok) return after;
    if (written.old === undefined) return undefined;
    before = WebhookSchema.parse(written.old);
  }
  throw new Error(`Others kept changing the webhook ${webhook.sk}`);
}

/** With what is known of its endpoint; its deliveries expire by themselves, and are not sent any more. */
export async function removeWebhook(store: Store, { board_id, webhook_id }: WebhookItem): Promise<void> {
  await store.write({ kind: 'delete', key: webhookKey(board_id, webhook_id) });
  await store.write({ kind: 'delete', key: endpointKey(webhook_id) });
}

export async function removeWebhooks(store: Store, boardId: string): Promise<void> {
  for (const webhook of await webhooksOf(store, boardId)) await removeWebhook(store, webhook);
}
