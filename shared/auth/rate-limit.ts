/**
 * Requests per minute of one token, counted in the table, so that all instances count together. Only tokens that an
 * admin has limited are counted: a count is a write, and the hot verbs of the others cost what they cost.
 */
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { rateKey } from '../store/keys.ts';
import { SECOND_MS } from '../units.ts';

export const RATE_WINDOW_SECONDS = 60;
const WINDOW_MS = RATE_WINDOW_SECONDS * SECOND_MS;
/** A window's count is of no use once it is over; TTL takes it hours later. */
const KEPT_MS = 10 * WINDOW_MS;

/** How a token stands in the present window. */
export interface Standing {
  readonly limit: number;
  /** Requests left; below 0 by as many as were refused. */
  readonly remaining: number;
  readonly resetSeconds: number;
}

/**
 * Counts one request; null for a token without a limit. Windows begin with the minute: at the turn of one, a caller
 * may send two windows' worth within a moment.
 */
export async function countRequest(engine: Engine, caller: Caller): Promise<Standing | null> {
  const { requestsPerMinute: limit } = caller;
  if (limit === undefined) return null;
  const now = engine.deps.now();
  const end = now - (now % WINDOW_MS) + WINDOW_MS;
  const written = await engine.store.write({
    kind: 'update',
    key: rateKey(caller.tokenId, end),
    set: { ttl: Math.ceil((end + KEPT_MS) / SECOND_MS) },
    remove: [],
    tally: { requests: 1 },
  });
  const counted = Number((written.ok ? written.item : undefined)?.['requests'] ?? 0);
  return { limit, remaining: limit - counted, resetSeconds: Math.ceil((end - now) / SECOND_MS) };
}

/** @throws Problem `rate_limited` saying when the next window begins. */
export function mustBeWithin({ limit, remaining, resetSeconds }: Standing): void {
  if (remaining >= 0) return;
  throw problem(
    'rate_limited',
    `This token may send ${limit} requests a minute. Wait ${resetSeconds} s, or ask an admin for another limit.`,
    { retry_after_seconds: resetSeconds },
  );
}
