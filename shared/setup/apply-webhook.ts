/**
 * Webhooks as code. One is known again by its description, which the code makes: a try that was cut short leaves no
 * second one behind.
 */
import * as z from 'zod';
import { boardFor } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { CreateWebhookBody } from '../schemas/webhooks.ts';
import { createWebhook } from '../verbs/create-webhook.ts';
import { deleteWebhook } from '../verbs/delete-webhook.ts';
import { patchWebhook } from '../verbs/patch-webhook.ts';
import { openSecret, shownSecret } from '../webhooks/secret.ts';
import { webhooksOf } from '../webhooks/webhook-rows.ts';
import { DEPLOYMENT } from './deployment.ts';

export const WebhookCode = z.strictObject({
  board: z.string(),
  url: CreateWebhookBody.shape.url,
  types: CreateWebhookBody.shape.types,
  description: z.string(),
});
export type WebhookCode = z.infer<typeof WebhookCode>;

export interface AppliedWebhook {
  /** `<board id>/<webhook id>` */
  readonly name: string;
  readonly secret: string;
}

export async function applyWebhook(engine: Engine, code: WebhookCode): Promise<AppliedWebhook> {
  const board = await boardFor(engine, DEPLOYMENT, code.board);
  const there = (await webhooksOf(engine.store, board.id)).find(
    ({ description }) => description === code.description,
  );
  if (there === undefined) {
    const { id, secret } = await createWebhook(engine, DEPLOYMENT, code);
    return { name: `${board.id}/${id}`, secret };
  }
  const { url, types = null } = code;
  const place = { board: board.id, webhook: there.webhook_id };
  await patchWebhook(engine, DEPLOYMENT, { ...place, url, types });
  const secret = openSecret(engine.leaseKeys, there.webhook_id, there.secret);
  return { name: `${board.id}/${there.webhook_id}`, secret: shownSecret(secret) };
}

/** One that is gone already, alone or with its board, is as good as removed. */
export async function removeAppliedWebhook(engine: Engine, name: string): Promise<void> {
  const [board = '', webhook = ''] = name.split('/');
  try {
    await deleteWebhook(engine, DEPLOYMENT, { board, webhook });
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not_found') throw error;
  }
}
