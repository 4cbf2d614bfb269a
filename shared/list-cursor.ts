/** Cursors of lists: where the next page begins, signed, so that nobody but the list can make one. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { makeCursor, readCursor } from './cursor.ts';
import type { Engine } from './engine.ts';

const Signed = z.tuple([z.string(), z.string()]);

function signature(engine: Engine, keyId: string, list: string, position: string): Buffer {
  const secret = engine.leaseKeys.secrets.get(keyId) ?? '';
  // Another purpose than lease tokens, which all begin with their format's name.
  return createHmac('sha256', secret)
    .update(JSON.stringify(['cursor', list, position]))
    .digest();
}

/** `list` names the list with all that it is filtered by: a cursor is good for that one only. */
export function makeListCursor(engine: Engine, list: string, position: unknown): string {
  const { current } = engine.leaseKeys;
  const text = JSON.stringify(position);
  const signed = signature(engine, current, list, text).toString('base64url');
  return makeCursor('list', [text, `${current}.${signed}`]);
}

/** @throws Problem `invalid_cursor` for one that this list has not made. */
export function readListCursor<T>(engine: Engine, list: string, cursor: string, position: z.ZodType<T>): T {
  const genuine = Signed.refine(([text, mark]) => isSigned(engine, list, text, mark));
  const [text] = readCursor('list', cursor, genuine);
  return position.parse(JSON.parse(text));
}

function isSigned(engine: Engine, list: string, text: string, mark: string): boolean {
  const [keyId = '', signed = ''] = mark.split('.');
  if (!engine.leaseKeys.secrets.has(keyId)) return false;
  const expected = signature(engine, keyId, list, text);
  const given = Buffer.from(signed, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
