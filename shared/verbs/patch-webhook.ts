/** Change where a webhook goes, what it gets, or whether it gets anything. */
import { mustBeOpen } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { withFields } from '../fields.ts';
import type { PatchWebhookBody } from '../schemas/webhooks.ts';
import type { WebhookItem } from '../store/webhook-items.ts';
import type { WebhookView } from '../views/webhook.ts';
import { showWebhook } from '../webhooks/show.ts';
import { mustBeTarget } from '../webhooks/target-for.ts';
import { changeFor, webhookFor, type WebhookInput } from '../webhooks/webhook-for.ts';
import { turnedOff, turnedOn } from '../webhooks/webhook.ts';

/** `null` takes a field away; what is left out stays. In force with the next event. */
export async function patchWebhook(
  engine: Engine,
  caller: Caller,
  input: WebhookInput & PatchWebhookBody,
): Promise<WebhookView> {
  const { board: _board, webhook: _webhook, enabled, ...fields } = input;
  const { board } = await webhookFor(engine, caller, input);
  mustBeOpen(board);
  if (fields.url !== undefined) mustBeTarget(engine, fields.url);
  const changed = await changeFor(engine, caller, input, (webhook, now) => {
    const after = switched(withFields(webhook, fields), enabled, now);
    return after === webhook ? null : after;
  });
  return showWebhook(engine, changed);
}

function switched(webhook: WebhookItem, enabled: boolean | undefined, now: number): WebhookItem {
  if (enabled === undefined || enabled === webhook.enabled) return webhook;
  return enabled ? turnedOn(webhook) : turnedOff(webhook, 'by_hand', now);
}
