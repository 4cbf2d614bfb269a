/**
 * Ids of what is imported. They are made of the board that it comes to and of the id that it has where it comes from:
 * so the same row makes the same thing however often it is sent, and a link finds its card without a register.
 */
import { createHash } from 'node:crypto';
import { ulidOf, type IdPrefix } from '../ids.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A ULID is 10 characters of time, kept, and 16 of chance, which the hash stands for. */
const TIME_CHARACTERS = 10;
const CHANCE_CHARACTERS = 16;

export function importedId(prefix: IdPrefix, boardId: string, sourceId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([boardId, sourceId]))
    .digest();
  const chance = Array.from(hash.subarray(0, CHANCE_CHARACTERS), (byte) => DIGITS.charAt(byte % 32)).join('');
  return `${prefix}_${ulidOf(sourceId).slice(0, TIME_CHARACTERS)}${chance}`;
}
