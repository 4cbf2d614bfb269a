import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { installed, isAllowed } from '../../infra/supply/licences.ts';

describe('licences', () => {
  test('of everything that is installed are allowed', async () => {
    const lock: unknown = JSON.parse(
      await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'),
    );
    const all = installed(lock as Parameters<typeof installed>[0]);

    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((one) => !isAllowed(one))).toEqual([]);
  });

  test.each([
    ['GPL-3.0-only', false, false],
    ['AGPL-3.0-or-later', false, false],
    ['AGPL-3.0-or-later', true, true],
    ['MIT OR GPL-3.0-or-later', false, true],
    ['MIT AND GPL-3.0-or-later', false, false],
    ['unknown', true, false],
  ])('%s, in development only %s, is allowed: %s', (licence, development, allowed) => {
    expect(isAllowed({ licence, development })).toBe(allowed);
  });
});
