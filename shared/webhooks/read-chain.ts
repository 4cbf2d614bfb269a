/** Everything that a chain of sends needs, read before a slot is taken: while one is held only the receiver counts. */
import { textOfRow } from '../events/log.ts';
import { EventRowSchema } from '../store/event-items.ts';
import { endpointKey, eventKey, webhookKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import {
  DeliverySchema,
  WebhookSchema,
  type DeliveryItem,
  type EndpointItem,
  type WebhookItem,
} from '../store/webhook-items.ts';
import { isWanted } from './delivery.ts';
import { rowKey } from './delivery-rows.ts';
import { parseEndpoint } from './endpoint.ts';
import type { SendMessage } from './message.ts';
import type { Wanted } from './sender.ts';

export interface ChainParts {
  readonly webhook: WebhookItem | undefined;
  readonly endpoint: EndpointItem;
  /** Those whose attempt is still to be made. */
  readonly wanted: readonly Wanted[];
}

/** @param messages Of one webhook. */
export async function readChain(store: Store, messages: readonly SendMessage[]): Promise<ChainParts> {
  const { board_id = '', webhook_id = '' } = messages[0] ?? {};
  const [webhook, endpoint, ...items] = await store.batchGet([
    webhookKey(board_id, webhook_id),
    endpointKey(webhook_id),
    ...messages.map(rowKey),
  ]);
  const rows = new Map<string, { message: SendMessage; row: DeliveryItem }>();
  for (const [at, message] of messages.entries()) {
    const row = items[at] === undefined ? undefined : DeliverySchema.parse(items[at]);
    if (row === undefined || !isWanted(row, message)) continue;
    // Copies of one message may come in one batch.
    rows.set(`${message.kind} ${message.event_id}`, { message, row });
  }
  return {
    webhook: webhook === undefined ? undefined : WebhookSchema.parse(webhook),
    endpoint: parseEndpoint(endpoint),
    wanted: await withTexts(store, [...rows.values()]),
  };
}

/** Null for an event that is no longer kept: its card was deleted, and what was logged of it. */
async function withTexts(store: Store, pairs: readonly Omit<Wanted, 'text'>[]): Promise<Wanted[]> {
  const events = await store.batchGet(pairs.map(({ row }) => eventKey(row.subject, row.sequence)));
  return pairs.map((pair, at) => {
    const event = events[at];
    return { ...pair, text: event === undefined ? null : textOfRow(EventRowSchema.parse(event)) };
  });
}
