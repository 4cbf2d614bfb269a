/** An event that nothing has happened for: how a webhook is tested. It is logged under the webhook itself. */
import { deflateRawSync } from 'node:zlib';
import type { Engine } from '../engine.ts';
import { bareEnvelope } from '../events/envelope.ts';
import { eventId } from '../ids.ts';
import { ABSENT } from '../store/conditions.ts';
import type { EventRow } from '../store/event-items.ts';
import { LAYOUT_VERSION, type Actor } from '../store/items.ts';
import { eventKey } from '../store/keys.ts';
import type { DeliveryItem, WebhookItem } from '../store/webhook-items.ts';
import { newTest } from './delivery.ts';
import { DELIVERY_RETENTION_MS } from './policy.ts';

/** Not among the types that happen, so no filter names it. */
const TYPE = 'webhook.test';

/** Logs the event and puts its delivery, which is to be attempted once. */
export async function putTest(engine: Engine, webhook: WebhookItem, actor: Actor): Promise<DeliveryItem> {
  const { store, deps } = engine;
  const now = deps.now();
  const { webhook_id: subject, board_id: boardId, tests: sequence } = webhook;
  const event = { subject, sequence, type: TYPE, boardId, cardId: null };
  const text = JSON.stringify({ ...bareEnvelope(event, now), actor });
  const row: EventRow = {
    ...eventKey(subject, sequence),
    v: LAYOUT_VERSION,
    board_id: boardId,
    type: TYPE,
    event: deflateRawSync(text),
    after_page: 0,
    ttl: Math.ceil((now + DELIVERY_RETENTION_MS) / 1_000),
  };
  await store.write({ kind: 'put', item: row, condition: ABSENT });
  const delivery = newTest({ ...event, id: eventId(subject, sequence), at: now }, subject, now);
  await store.write({ kind: 'put', item: delivery, condition: ABSENT });
  return delivery;
}
