/** Delete a webhook. What is still to be sent to it is not sent. */
import type { Caller, Engine } from '../engine.ts';
import { endpointKey, webhookKey } from '../store/keys.ts';
import { webhookFor, type WebhookInput } from '../webhooks/webhook-for.ts';

export async function deleteWebhook(engine: Engine, caller: Caller, input: WebhookInput): Promise<void> {
  const { webhook } = await webhookFor(engine, caller, input);
  await engine.store.write({ kind: 'delete', key: webhookKey(webhook.board_id, webhook.webhook_id) });
  await engine.store.write({ kind: 'delete', key: endpointKey(webhook.webhook_id) });
}
