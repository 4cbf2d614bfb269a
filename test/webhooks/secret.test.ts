import { describe, expect, test } from 'vitest';
import { systemDeps } from '../../shared/deps.ts';
import { parseLeaseKeys } from '../../shared/lease-keys.ts';
import {
  isSealedWithOldKey,
  newSecret,
  openSecret,
  sealSecret,
  shownSecret,
} from '../../shared/webhooks/secret.ts';

const K1 = 'the first lease key, of 32 characters';
const K2 = 'the second lease key, of 32 characters';
const keys = parseLeaseKeys(JSON.stringify({ current: 'k1', k1: K1 }));
const rotating = parseLeaseKeys(JSON.stringify({ current: 'k2', k1: K1, k2: K2 }));
const ID = 'whk_01J000000000000000000000AA';

describe('a secret', () => {
  test('is shown as 32 random bytes in the form that receivers configure', () => {
    const shown = shownSecret(newSecret(systemDeps));
    expect(shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shownSecret(newSecret(systemDeps))).not.toBe(shown);
  });

  test('is sealed so that it comes back whole, and shows nothing of itself', () => {
    const secret = newSecret(systemDeps);
    const sealed = sealSecret(keys, ID, secret);
    expect(openSecret(keys, ID, sealed)).toEqual(secret);
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      expect(sealed).not.toContain(secret.toString(form).slice(0, 12));
    }
    expect(sealSecret(keys, ID, secret)).not.toBe(sealed);
  });

  test('opens for its own webhook only, and not when a byte of it was changed', () => {
    const sealed = sealSecret(keys, ID, newSecret(systemDeps));
    expect(() => openSecret(keys, 'whk_01J000000000000000000000AB', sealed)).toThrow();
    const last = sealed.at(-2) === 'A' ? 'B' : 'A';
    expect(() => openSecret(keys, ID, `${sealed.slice(0, -2)}${last}${sealed.at(-1)}`)).toThrow();
    expect(() => openSecret(keys, ID, 'v1:k1:')).toThrow();
  });

  test('opens with the key before while the lease key is rotated, and is due to be sealed anew', () => {
    const secret = newSecret(systemDeps);
    const sealed = sealSecret(keys, ID, secret);
    expect(openSecret(rotating, ID, sealed)).toEqual(secret);
    expect(isSealedWithOldKey(keys, sealed)).toBe(false);
    expect(isSealedWithOldKey(rotating, sealed)).toBe(true);
    expect(isSealedWithOldKey(rotating, sealSecret(rotating, ID, secret))).toBe(false);
  });

  test('is not opened by the lease key itself, nor by one that is gone, which is named', () => {
    const sealed = sealSecret(keys, ID, newSecret(systemDeps));
    const others = parseLeaseKeys(JSON.stringify({ current: 'k2', k2: K2 }));
    expect(() => openSecret(others, ID, sealed)).toThrow(/'k1'.*rotate the secret/);
    expect(() => openSecret(others, ID, sealed.replace(':k1:', ':k2:'))).toThrow();
  });
});
