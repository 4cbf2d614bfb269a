/** Reading and changing deliveries' rows. */
import { ABSENT } from '../store/conditions.ts';
import { deliveryKey, eventKey, type Key } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { DeliverySchema, type DeliveryItem } from '../store/webhook-items.ts';
import { eventOfRow } from '../events/show-events.ts';
import { changeRevised } from './change-revised.ts';
import { newDelivery, type DeliveredEvent } from './delivery.ts';
import { parseDeliveryId } from './delivery-id.ts';

type Named = { readonly webhook_id: string; readonly at: number; readonly event_id: string };

export const rowKey = ({ webhook_id, at, event_id }: Named): Key => deliveryKey(webhook_id, at, event_id);

/** Puts the row of an event that is to be delivered; or answers the one that is there since the event came first. */
export async function putDelivery(
  store: Store,
  event: DeliveredEvent,
  webhookId: string,
  now: number,
): Promise<{ row: DeliveryItem; isNew: boolean }> {
  const row = newDelivery(event, webhookId, now);
  const written = await store.write({ kind: 'put', item: row, condition: ABSENT });
  return written.ok ? { row, isNew: true } : { row: DeliverySchema.parse(written.old), isNew: false };
}

/** @returns the row as it is then; undefined when it is gone. See `changeRevised`. */
export async function changeDelivery(
  store: Store,
  row: DeliveryItem,
  now: number,
  change: (row: DeliveryItem) => DeliveryItem | null,
): Promise<DeliveryItem | undefined> {
  return changeRevised(store, row, now, (item) => DeliverySchema.parse(item), change);
}

/** What an event may be under; its id tells the number, and nothing of the kind. */
const SUBJECTS = ['crd', 'brd', 'whk'] as const;

/** A delivery by its id, by way of its event, which tells the time that is in the row's key. */
export async function findDelivery(store: Store, id: string): Promise<DeliveryItem | undefined> {
  const named = parseDeliveryId(id);
  if (named === null) return undefined;
  const { eventId, webhookId, subject, sequence } = named;
  const rows = await store.batchGet(SUBJECTS.map((kind) => eventKey(`${kind}_${subject}`, sequence)));
  const event = rows.find((row) => row !== undefined);
  if (event === undefined) return undefined;
  const item = await store.get(deliveryKey(webhookId, Date.parse(eventOfRow(event).timestamp), eventId));
  return item === undefined ? undefined : DeliverySchema.parse(item);
}
