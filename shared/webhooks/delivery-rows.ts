/** Reading and changing deliveries' rows. */
import { DECIDE_RETRIES } from '../policy.ts';
import { ABSENT, expression } from '../store/conditions.ts';
import { deliveryKey, eventKey, type Key } from '../store/keys.ts';
import { difference } from '../store/params.ts';
import type { Store } from '../store/store.ts';
import { DeliverySchema, type DeliveryItem } from '../store/webhook-items.ts';
import { eventOfRow } from '../events/show-events.ts';
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

/**
 * Writes what `change` makes of the row, decided anew when another writer came between.
 *
 * @param change Null leaves it as it is.
 * @returns the row as it is then; undefined when it is gone.
 */
export async function changeDelivery(
  store: Store,
  row: DeliveryItem,
  now: number,
  change: (row: DeliveryItem) => DeliveryItem | null,
): Promise<DeliveryItem | undefined> {
  let before = row;
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const changed = change(before);
    if (changed === null) return before;
    const after = { ...changed, rev: before.rev + 1, updated_at: now };
    const written = await store.write({
      kind: 'update',
      key: rowKey(before),
      ...difference(before, after),
      condition: expression('#rev = :c_rev', { rev: before.rev }),
    });
    if (written.ok) return after;
    if (written.old === undefined) return undefined;
    before = DeliverySchema.parse(written.old);
  }
  throw new Error(`Others kept changing the delivery of ${row.event_id} to ${row.webhook_id}`);
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
