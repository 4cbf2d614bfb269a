/** Delete a webhook. What is still to be sent to it is not sent. */
import type { Caller, Engine } from '../engine.ts';
import { webhookFor, type WebhookInput } from '../webhooks/webhook-for.ts';
import { removeWebhook } from '../webhooks/webhook-rows.ts';

export async function deleteWebhook(engine: Engine, caller: Caller, input: WebhookInput): Promise<void> {
  const { webhook } = await webhookFor(engine, caller, input);
  await removeWebhook(engine, webhook);
}
