/** What was sent to a webhook, the latest event first. */
import * as z from 'zod';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import { ANSWER_BYTES, LIST_ENTRIES } from '../policy.ts';
import type { ListDeliveriesQuery } from '../schemas/webhooks.ts';
import { DELIVERY_PREFIX } from '../store/keys.ts';
import { DeliverySchema, type DeliveryItem } from '../store/webhook-items.ts';
import { jsonBytes } from '../text.ts';
import { deliveryView, type DeliveryView } from '../views/webhook.ts';
import { showDeliveries } from '../webhooks/show.ts';
import { webhookFor, type WebhookInput } from '../webhooks/webhook-for.ts';

const Position = z.string().startsWith(DELIVERY_PREFIX);

/** A page may be short where its deliveries are long, and empty when a status is asked for: its cursor goes on. */
export async function listDeliveries(
  engine: Engine,
  caller: Caller,
  input: WebhookInput & ListDeliveriesQuery,
): Promise<{ items: DeliveryView[]; next_cursor: string | null }> {
  const { webhook } = await webhookFor(engine, caller, input);
  const list = `deliveries ${webhook.webhook_id}`;
  const after = input.cursor === undefined ? undefined : readListCursor(engine, list, input.cursor, Position);
  const rows: DeliveryItem[] = [];
  let last: string | undefined = after;
  let more = true;
  for (let seen = 0; more && rows.length < input.limit && seen < LIST_ENTRIES;) {
    const page = await pageAfter(engine, webhook.webhook_id, last, input.limit - rows.length);
    rows.push(...page.rows.filter((row) => matches(row, input.status)));
    last = page.rows.at(-1)?.sk ?? last;
    more = page.more;
    seen += page.rows.length;
  }
  const shown = await showDeliveries(engine, rows);
  const items = shown.slice(0, fitting(shown));
  // What did not fit begins the next page.
  if (items.length < rows.length) [last, more] = [rows[items.length - 1]?.sk, true];
  return {
    items,
    next_cursor: more && last !== undefined ? makeListCursor(engine, list, last) : null,
  };
}

/** How many fit into an answer: a receiver's control characters are six bytes each in JSON. At least one does. */
function fitting(views: readonly DeliveryView[]): number {
  let bytes = 0;
  const over = views.findIndex((view) => (bytes += jsonBytes(view)) > ANSWER_BYTES);
  return over === -1 ? views.length : Math.max(1, over);
}

function matches(row: DeliveryItem, status: ListDeliveriesQuery['status']): boolean {
  return status === undefined || deliveryView(row, null).status === status;
}

async function pageAfter(engine: Engine, webhookId: string, after: string | undefined, limit: number) {
  const { items, next } = await engine.store.query({
    pk: { name: 'pk', value: webhookId },
    sk: { name: 'sk', prefix: DELIVERY_PREFIX },
    reverse: true,
    limit,
    consistent: true,
    ...(after === undefined ? {} : { start: { pk: webhookId, sk: after } }),
  });
  return { rows: items.map((item) => DeliverySchema.parse(item)), more: next !== undefined };
}
