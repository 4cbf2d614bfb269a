/** Changing an item that counts its revisions, whoever else changes it. */
import { isDeepStrictEqual } from 'node:util';
import { DECIDE_RETRIES } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { difference, type Item } from '../store/params.ts';
import type { Store } from '../store/store.ts';

type Revised = Item & {
  readonly pk: string;
  readonly sk: string;
  readonly rev: number;
  readonly updated_at: number;
};

/**
 * Writes what `change` makes of the item, decided anew when another writer came between. A write whose answer was lost
 * finds itself there when it is repeated, and is taken for done.
 *
 * @param parse Reads the item as the table has it.
 * @param change Null leaves it as it is.
 * @returns the item as it is then; undefined when it is gone.
 */
export async function changeRevised<T extends Revised>(
  store: Store,
  seen: T,
  now: number,
  parse: (item: Item) => T,
  change: (item: T) => T | null,
): Promise<T | undefined> {
  let before = seen;
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const changed = change(before);
    if (changed === null) return before;
    const after = { ...changed, rev: before.rev + 1, updated_at: now };
    const written = await store.write({
      kind: 'update',
      key: { pk: before.pk, sk: before.sk },
      ...difference(before, after),
      condition: expression('#rev = :c_rev', { rev: before.rev }),
    });
    if (written.ok) return after;
    if (written.old === undefined) return undefined;
    before = parse(written.old);
    if (isDeepStrictEqual(before, after)) return after;
  }
  throw new Error(`Others kept changing ${seen.pk} ${seen.sk}`);
}
