/**
 * What lies under a webhook that was deleted: its deliveries, with what they told and what was answered, its tests, and
 * how its endpoint fared. The fan-out may still add some for as long as it remembers the webhook, so the reaper looks
 * again until the while is over.
 */
import type { Engine } from '../engine.ts';
import type { GoingItem } from '../store/items.ts';
import { goneDelete, isQuiet } from './register.ts';
import { removeRange } from './remove-range.ts';

/** Goes on until nothing is found or the clock passes `until` (ms). */
export async function removeDeliveries(engine: Engine, entry: GoingItem, until: number): Promise<void> {
  const done = await removeRange(engine, { pk: { name: 'pk', value: entry.sk } }, until);
  if (done && isQuiet(engine, entry)) await engine.store.write(goneDelete(entry.sk));
}
