/**
 * Lease tokens: what a holder shows with every call. A token carries what its verbs need, signed, so that a
 * heartbeat is one write with nothing read before it, and nothing in the table (so nothing in the stream) can
 * act as one. A claim's replay computes the same token again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { ulidOf } from './ids.ts';
import type { LeaseKeys } from './lease-keys.ts';

/** What a token says. Good while JOB names its `run` and `nonce`. */
export interface LeaseClaims {
  readonly board_id: string;
  readonly column_id: string;
  readonly card_id: string;
  readonly run: number;
  readonly nonce: string;
  readonly ttl_ms: number;
  readonly claimed_at: number;
  /** End of the lease's whole life, renewals included; null without a cap. */
  readonly max_at: number | null;
  /** Priority and rank at the claim, as the timed lane sorts them. */
  readonly tail: string;
}

const FORMAT = 'lt1';
const Payload = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.number(),
  z.string(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
]);

export function signLeaseToken(keys: LeaseKeys, claims: LeaseClaims): string {
  const payload: z.infer<typeof Payload> = [
    keys.current,
    ulidOf(claims.board_id),
    ulidOf(claims.column_id),
    ulidOf(claims.card_id),
    claims.run,
    claims.nonce,
    claims.ttl_ms,
    claims.claimed_at,
    claims.max_at ?? 0,
    claims.tail,
  ];
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${FORMAT}_${text}_${signature(keys, keys.current, text).toString('base64url')}`;
}

/** The claims of a genuine token; null for any other string, whatever it is. */
export function readLeaseToken(keys: LeaseKeys, token: string): LeaseClaims | null {
  const match = /^lt1_([A-Za-z0-9_-]+)_([A-Za-z0-9_-]{43})$/.exec(token);
  if (match === null) return null;
  const [, text = '', signed = ''] = match;
  const payload = parsePayload(text);
  if (payload === null || keys.secrets.get(payload[0]) === undefined) return null;
  const expected = signature(keys, payload[0], text);
  if (!timingSafeEqual(expected, Buffer.from(signed, 'base64url'))) return null;
  const [, board, column, card, run, nonce, ttl_ms, claimed_at, max_at, tail] = payload;
  return {
    board_id: `brd_${board}`,
    column_id: `col_${column}`,
    card_id: `crd_${card}`,
    run,
    nonce,
    ttl_ms,
    claimed_at,
    max_at: max_at === 0 ? null : max_at,
    tail,
  };
}

function parsePayload(text: string): z.infer<typeof Payload> | null {
  try {
    return Payload.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return null;
  }
}

function signature(keys: LeaseKeys, keyId: string, text: string): Buffer {
  const secret = keys.secrets.get(keyId);
  if (secret === undefined) throw new Error(`Lease key '${keyId}' is not among the keys`);
  return createHmac('sha256', secret).update(`${FORMAT}_${text}`).digest();
}
