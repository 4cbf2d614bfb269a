/**
 * Send again what a webhook has not got since a time: what failed, and what happened while it was disabled. It runs
 * in the background; `recovering_since` says until when.
 */
import { mustBeOpen } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { RecoverBody } from '../schemas/webhooks.ts';
import type { WebhookView } from '../views/webhook.ts';
import { startRecovery } from '../webhooks/recovery.ts';
import { showWebhook } from '../webhooks/show.ts';
import { webhookFor, type WebhookInput } from '../webhooks/webhook-for.ts';

/** Of two that overlap the later one counts, from the earlier of their times. */
export async function recover(
  engine: Engine,
  caller: Caller,
  input: WebhookInput & RecoverBody,
): Promise<WebhookView> {
  const { board, webhook } = await webhookFor(engine, caller, input);
  mustBeOpen(board);
  if (!webhook.enabled) {
    throw problem(
      'conflict',
      'The webhook is disabled, and would be sent nothing. Turn it on with :enable first.',
    );
  }
  return showWebhook(engine, await startRecovery(engine, webhook, Date.parse(input.since)));
}
