/** The webhooks of a board, oldest first, without their secrets. */
import * as z from 'zod';
import { boardFor } from '../columns.ts';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ListWebhooksQuery } from '../schemas/webhooks.ts';
import { WEBHOOK_PREFIX, webhookKey } from '../store/keys.ts';
import { WebhookSchema } from '../store/webhook-items.ts';
import type { WebhookView } from '../views/webhook.ts';
import { showWebhooks } from '../webhooks/show.ts';

const Position = z.string();

export async function listWebhooks(
  engine: Engine,
  caller: Caller,
  input: { board: string } & ListWebhooksQuery,
): Promise<{ items: WebhookView[]; next_cursor: string | null }> {
  const board = await boardFor(engine, caller, input.board);
  const list = `webhooks ${board.id}`;
  const after = input.cursor === undefined ? null : readListCursor(engine, list, input.cursor, Position);
  const { items, next } = await engine.store.query({
    pk: { name: 'pk', value: board.id },
    sk: { name: 'sk', prefix: WEBHOOK_PREFIX },
    limit: input.limit,
    consistent: true,
    ...(after === null ? {} : { start: { ...webhookKey(board.id, after) } }),
  });
  const webhooks = items.map((item) => WebhookSchema.parse(item));
  const last = webhooks.at(-1)?.webhook_id;
  return {
    items: await showWebhooks(engine, webhooks),
    next_cursor: next === undefined || last === undefined ? null : makeListCursor(engine, list, last),
  };
}
