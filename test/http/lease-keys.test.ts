import { describe, expect, test } from 'vitest';
import { rotatingKeys } from '../../functions/engine.ts';
import type { LeaseKeys } from '../../shared/lease-keys.ts';
import { TestClock } from '../support/test-clock.ts';

const FIVE_MINUTES_MS = 300_000;
const keys = (current: string): LeaseKeys => ({ current, secrets: new Map() });

/** Keys whose secret is read by `answers` in turn. */
function world(...answers: (LeaseKeys | Error)[]) {
  const clock = new TestClock();
  let reads = 0;
  const rotating = rotatingKeys(async () => {
    const answer = answers[reads++];
    if (answer instanceof Error) throw answer;
    return answer;
  }, clock.now);
  return { clock, rotating, reads: () => reads };
}

describe('the keys of an instance', () => {
  test('are read once for many requests at once', async () => {
    const { rotating, reads } = world(keys('k1'));
    await Promise.all([rotating.refresh(), rotating.refresh()]);
    await rotating.refresh();
    expect([rotating.current().current, reads()]).toEqual(['k1', 1]);
  });

  test('are read again within five minutes, so that a rotation reaches every instance', async () => {
    const { clock, rotating } = world(keys('k1'), keys('k2'));
    await rotating.refresh();
    clock.advance(FIVE_MINUTES_MS - 1);
    await rotating.refresh();
    expect(rotating.current().current).toBe('k1');
    clock.advance(1);
    await rotating.refresh();
    expect(rotating.current().current).toBe('k2');
  });

  test('stay good while the secret cannot be read', async () => {
    const { clock, rotating } = world(keys('k1'), new Error('no network'), keys('k2'));
    await rotating.refresh();
    clock.advance(FIVE_MINUTES_MS);
    await rotating.refresh();
    expect(rotating.current().current).toBe('k1');
    await rotating.refresh();
    expect(rotating.current().current).toBe('k2');
  });

  test('that could never be read fail the request, and are tried for by the next', async () => {
    const { rotating } = world(new Error('no network'), keys('k1'));
    expect(() => rotating.current()).toThrow('before they were read');
    await expect(rotating.refresh()).rejects.toThrow('no network');
    await rotating.refresh();
    expect(rotating.current().current).toBe('k1');
  });
});
