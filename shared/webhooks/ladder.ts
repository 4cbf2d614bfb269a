/** When a delivery is tried again. */
import { LADDER_JITTER, LADDER_MS, RETRY_AFTER_STRETCH } from './policy.ts';

/**
 * Milliseconds until the next attempt, or null when there is none.
 *
 * @param made Attempts made so far.
 * @param random Uniform in [0, 1).
 * @param retryAfterMs What the receiver asked for; null when it did not.
 */
export function nextWait(made: number, random: number, retryAfterMs: number | null): number | null {
  const base = LADDER_MS[made];
  if (base === undefined) return null;
  const spread = base * (1 - LADDER_JITTER + 2 * LADDER_JITTER * random);
  return Math.round(Math.max(spread, Math.min(retryAfterMs ?? 0, base * RETRY_AFTER_STRETCH)));
}

/** Milliseconds that a `Retry-After` header asks for, as seconds or as a date; null for none or nonsense. */
export function parseRetryAfter(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text.trim()) * 1_000;
  // Only the form that HTTP has for dates: everything else Date.parse guesses at.
  const at = /^[A-Za-z]{3,9},/.test(text.trim()) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
