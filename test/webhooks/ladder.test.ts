import { describe, expect, test } from 'vitest';
import { nextWait, parseRetryAfter } from '../../shared/webhooks/ladder.ts';

const HOUR_MS = 3_600_000;
const middle = (made: number, retryAfterMs: number | null = null) => nextWait(made, 0.5, retryAfterMs);

describe('the ladder of attempts', () => {
  test('has ten over 75 hours and 35 minutes, and then no more', () => {
    const waits = Array.from({ length: 11 }, (_, made) => middle(made));
    expect(waits).toEqual([
      0,
      5_000,
      300_000,
      1_800_000,
      ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
      null,
    ]);
    const whole = waits.reduce((sum: number, wait) => sum + (wait ?? 0), 0);
    expect(whole).toBe(75 * HOUR_MS + 35 * 60_000 + 5_000);
  });

  test('spreads each wait by a fifth either way', () => {
    expect(nextWait(4, 0, null)).toBe(1.6 * HOUR_MS);
    expect(nextWait(4, 0.999_999, null)).toBeCloseTo(2.4 * HOUR_MS, -2);
  });

  test('gives a receiver the time that it asks for, up to twice the wait', () => {
    expect(middle(2, 400_000)).toBe(400_000);
    expect(middle(2, 10_000)).toBe(300_000);
    expect(middle(2, 90_000_000)).toBe(600_000);
    expect(middle(10, 1_000)).toBeNull();
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1, 12);

  test('is read as seconds or as a date of HTTP', () => {
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('Thu, 01 Jan 2026 12:01:00 GMT', now)).toBe(60_000);
    expect(parseRetryAfter('Thu, 01 Jan 2026 11:00:00 GMT', now)).toBe(0);
  });

  test('is passed over when it is neither', () => {
    for (const text of [undefined, '', 'soon', '-5', '1e9', '99999999999']) {
      expect(parseRetryAfter(text, now), text).toBeNull();
    }
  });
});
