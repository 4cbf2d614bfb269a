/** When a call is made again, and after how long. Pure: randomness comes in as a number. */
import type { LeaseboardError } from './errors.ts';

/**
 * What makes repeating a call safe.
 * - `always`: the same effect however often (reads, replacements, closing verbs by token, renewals).
 * - `keyed`: the server recognises the repeat by its Idempotency-Key (creates and claims).
 * - `once`: nothing; repeated only where the answer proves that nothing was done.
 */
export type Repeat = 'always' | 'keyed' | 'once';

/** First wait; doubles with each further try. Longer than one round trip, shorter than a person notices. */
const FIRST_DELAY_MS = 200;
/** Waits stop growing here: beyond it a caller should decide, not the transport. */
const LONGEST_DELAY_MS = 10_000;
/** A server that asks for more than this is better heard by the caller: the error says how long. */
const LONGEST_RETRY_AFTER_SECONDS = 30;
/** Spread over what the server asked for, so that a refused fleet does not come back in one instant. */
const RETRY_AFTER_SPREAD = 0.25;

/** Answers that leave open whether the request was carried out; 502 and 504 are a gateway that lost its function. */
const UNKNOWN_OUTCOME: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether repeating the call can help and cannot harm. */
export function mayRepeat(error: LeaseboardError, repeat: Repeat): boolean {
  // Refused at the door: nothing was done, whatever the call.
  if (error.status === 429) return true;
  if (repeat === 'once') return false;
  if (error.code === 'network_error' || error.code === 'timeout') return true;
  // Two equal requests met; the first one's answer is there a moment later.
  if (error.code === 'idempotency_in_progress') return true;
  return UNKNOWN_OUTCOME.has(error.status) || isMisread(error);
}

/** Success by its status, and not this API's: a page that something between answered instead. */
export function isMisread(error: LeaseboardError): boolean {
  return error.code === 'unexpected_answer' && error.status >= 200 && error.status < 300;
}

/**
 * Milliseconds to wait before try number `tries + 1`, or null when the server asks for longer than a transport
 * should hide. `random` is 0 up to 1.
 */
export function retryDelayMs(error: LeaseboardError, tries: number, random: number): number | null {
  const asked = error.retryAfterSeconds;
  if (asked !== null) {
    if (asked > LONGEST_RETRY_AFTER_SECONDS) return null;
    return asked * 1000 * (1 + random * RETRY_AFTER_SPREAD) + random * FIRST_DELAY_MS;
  }
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return ceiling * (0.5 + random / 2);
}
