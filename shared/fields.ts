/** Patches: what a body says of an item's fields. */

type Patch<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/**
 * The item with the patch's fields: `null` takes a field away, `undefined` leaves it. The very same object when
 * that changes nothing.
 */
export function withFields<T extends object>(item: T, patch: Patch<T>): T {
  const after = { ...item };
  let changed = false;
  for (const name in patch) {
    const value = patch[name];
    if (value === undefined || value === item[name] || (value === null && item[name] === undefined)) continue;
    changed = true;
    if (value === null) delete after[name];
    else Object.assign(after, { [name]: value });
  }
  return changed ? after : item;
}
