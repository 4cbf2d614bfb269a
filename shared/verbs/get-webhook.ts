/** One webhook, without its secret. */
import type { Caller, Engine } from '../engine.ts';
import type { WebhookView } from '../views/webhook.ts';
import { showWebhook } from '../webhooks/show.ts';
import { webhookFor, type WebhookInput } from '../webhooks/webhook-for.ts';

export async function getWebhook(engine: Engine, caller: Caller, input: WebhookInput): Promise<WebhookView> {
  const { webhook } = await webhookFor(engine, caller, input);
  return showWebhook(engine, webhook);
}
