/** Cursors of lists: opaque to callers, and good for the list that made them only. */
import * as z from 'zod';
import { problem } from './errors.ts';

const Cursor = z.tuple([z.string(), z.unknown()]);

export function makeCursor(list: string, position: unknown): string {
  return Buffer.from(JSON.stringify([list, position])).toString('base64url');
}

/**
 * The position within a cursor of this list.
 * @throws Problem `invalid_cursor` for any other text.
 */
export function readCursor<T>(list: string, cursor: string, position: z.ZodType<T>): T {
  const parsed = Cursor.safeParse(parse(cursor));
  const read = parsed.success && parsed.data[0] === list ? position.safeParse(parsed.data[1]) : undefined;
  if (read?.success === true) return read.data;
  throw problem('invalid_cursor', "This cursor is none of this list's. Leave it out to begin at the start.");
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
