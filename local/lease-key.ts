/** The key that signs lease tokens, as the secret string that Secrets Manager would hold. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keepPrivately } from './private-file.ts';
import { UserError } from './user-error.ts';

/** As long as the output of the HMAC-SHA-256 that it is used for. */
const KEY_BYTES = 32;

/** `{"current": "k1", "keys": {"k1": "<base64url of 32 random bytes>"}}`: room for two while one is rotated. */
export function newLeaseKey(): string {
  return JSON.stringify({ current: 'k1', keys: { k1: randomBytes(KEY_BYTES).toString('base64url') } });
}

/**
 * The key of a data directory, made once: leases given out before a restart are good after it.
 *
 * @param directory null for one that ends with the process.
 * @throws UserError when the file is damaged. It is not replaced: that would end every lease unasked.
 */
export async function leaseKey(directory: string | null): Promise<string> {
  if (directory === null) return newLeaseKey();
  const file = join(directory, 'lease-key.json');
  const text = await keepPrivately(file, newLeaseKey);
  if (!isKeySet(text)) {
    throw new UserError(`${file} is damaged. Restore it, or remove it: all present leases are then lost.`);
  }
  return text;
}

function isKeySet(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'current' in value && 'keys' in value;
  } catch {
    return false;
  }
}
