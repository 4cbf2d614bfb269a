/** Turn a webhook on again. It gets what happens from now on: `:recover` sends what it missed. */
import type { Caller, Engine } from '../engine.ts';
import type { WebhookView } from '../views/webhook.ts';
import { forgetFailures } from '../webhooks/endpoint.ts';
import { showWebhook } from '../webhooks/show.ts';
import { changeFor, type WebhookInput } from '../webhooks/webhook-for.ts';
import { turnedOn } from '../webhooks/webhook.ts';

/** Its failures so far are forgotten: they must not turn it off again at once. */
export async function enableWebhook(
  engine: Engine,
  caller: Caller,
  input: WebhookInput,
): Promise<WebhookView> {
  const webhook = await changeFor(engine, caller, input, (current) =>
    current.enabled ? null : turnedOn(current),
  );
  await forgetFailures(engine.store, webhook.board_id, webhook.webhook_id);
  return showWebhook(engine, webhook);
}
