/** Where a column stands among the others of its board. */
import { problem } from '../errors.ts';

/** Stands before or after another column; with neither, last. */
export interface Beside {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The board's columns with `id` put in its place; whether it was among them before does not matter. */
export function withColumnAt(columnIds: readonly string[], id: string, beside: Beside): string[] {
  const others = columnIds.filter((columnId) => columnId !== id);
  const { before, after } = beside;
  if (before !== undefined) return others.toSpliced(placeOf(others, before, '/before'), 0, id);
  if (after !== undefined) return others.toSpliced(placeOf(others, after, '/after') + 1, 0, id);
  return [...others, id];
}

function placeOf(columnIds: readonly string[], id: string, path: string): number {
  const place = columnIds.indexOf(id);
  if (place !== -1) return place;
  const message = `names no other column of this board: ${id}`;
  throw problem('validation_failed', `'${path}' ${message}. See the columns at GET B.`, {
    errors: [{ path, message }],
  });
}
