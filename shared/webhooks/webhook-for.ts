/** A webhook as a verb meets it: named within its board. */
import { boardFor, type Board } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import type { WebhookItem } from '../store/webhook-items.ts';
import { changeWebhook, readWebhook } from './webhook-rows.ts';

export interface WebhookInput {
  readonly board: string;
  readonly webhook: string;
}

export async function webhookFor(
  engine: Engine,
  caller: Caller,
  { board: idOrSlug, webhook: id }: WebhookInput,
): Promise<{ board: Board; webhook: WebhookItem }> {
  const board = await boardFor(engine, caller, idOrSlug);
  const webhook = isId('whk', id) ? await readWebhook(engine.store, board.id, id) : undefined;
  if (webhook === undefined) throw notFound('webhook', id);
  return { board, webhook };
}

/** Changes a webhook on behalf of a caller; `change` gets it as it is now. */
export async function changeFor(
  engine: Engine,
  caller: Caller,
  input: WebhookInput,
  change: (webhook: WebhookItem, now: number) => WebhookItem | null,
): Promise<WebhookItem> {
  const { webhook } = await webhookFor(engine, caller, input);
  const now = engine.deps.now();
  const after = await changeWebhook(engine.store, webhook, now, (current) => change(current, now));
  if (after === undefined) throw notFound('webhook', input.webhook);
  return after;
}
