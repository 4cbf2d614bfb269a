/** Sealing secrets anew after the lease key was rotated, so that the key before can go. */
import type { Engine } from '../engine.ts';
import type { WebhookItem } from '../store/webhook-items.ts';
import { isSealedWithOldKey, openSecret, sealSecret } from './secret.ts';
import { changeWebhook } from './webhook-rows.ts';

/** Does nothing for one whose key is gone already: its sends fail, and say so. */
export async function reseal({ store, deps, leaseKeys: keys }: Engine, webhook: WebhookItem): Promise<void> {
  const again = (text: string): string =>
    isSealedWithOldKey(keys, text) && keys.secrets.has(text.split(':')[1] ?? '')
      ? sealSecret(keys, webhook.webhook_id, openSecret(keys, webhook.webhook_id, text))
      : text;
  if (again(webhook.secret) === webhook.secret) return;
  await changeWebhook(store, webhook, deps.now(), (current) => ({
    ...current,
    secret: again(current.secret),
    ...(current.old_secret === undefined ? {} : { old_secret: again(current.old_secret) }),
  }));
}
