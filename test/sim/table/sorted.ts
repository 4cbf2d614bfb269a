/** Entries in the order of their names, as the keys of one partition are: by the bytes of the text. */

export interface Sorted<T> {
  readonly names: string[];
  readonly values: T[];
}

export const emptySorted = <T>(): Sorted<T> => ({ names: [], values: [] });

/** Where `name` is, or would be. Order of code units, which is that of bytes for the keys in use. */
export function placeOf(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Puts, replaces or (with undefined) removes one entry. */
export function setEntry<T>(sorted: Sorted<T>, name: string, value: T | undefined): void {
  const at = placeOf(sorted.names, name);
  const there = sorted.names[at] === name;
  if (value === undefined) {
    if (!there) return;
    sorted.names.splice(at, 1);
    sorted.values.splice(at, 1);
  } else if (there) sorted.values[at] = value;
  else {
    sorted.names.splice(at, 0, name);
    sorted.values.splice(at, 0, value);
  }
}

export function getEntry<T>(sorted: Sorted<T> | undefined, name: string): T | undefined {
  if (sorted === undefined) return undefined;
  const at = placeOf(sorted.names, name);
  return sorted.names[at] === name ? sorted.values[at] : undefined;
}
