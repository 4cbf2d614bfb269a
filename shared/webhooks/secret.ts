/**
 * Secrets of webhooks. They sign, so they must be had back and cannot be hashed: the table holds them sealed with
 * AES-256-GCM under a key that is derived from the lease keys, for this purpose and nothing else. Whoever reads the
 * table, its stream or a backup has nothing to sign with.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Deps } from '../deps.ts';
import type { LeaseKeys } from '../lease-keys.ts';
import { SECRET_PREFIX } from './signature.ts';

/** Standard Webhooks asks for 24 to 64; more than the output of HMAC-SHA-256 adds nothing. */
const SECRET_BYTES = 32;
const KEY_BYTES = 32;
/** What GCM takes without hashing it first. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1';
const PURPOSE = 'leaseboard/webhook-secret/v1';

export function newSecret(deps: Deps): Buffer {
  return Buffer.from(deps.secret(SECRET_BYTES), 'base64url');
}

/** As its receiver gets it, once. */
export function shownSecret(secret: Buffer): string {
  return SECRET_PREFIX + secret.toString('base64');
}

/** `v1:<key id>:<base64url of iv, ciphertext and tag>`, good for this webhook only. */
export function sealSecret(keys: LeaseKeys, webhookId: string, secret: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(keys, keys.current), iv);
  cipher.setAAD(Buffer.from(webhookId));
  const sealed = Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return [FORMAT, keys.current, sealed.toString('base64url')].join(':');
}

/**
 * @throws Error when the key is no longer among the lease keys, or the text was sealed for another webhook or
 * changed. It names the key, never the secret.
 */
export function openSecret(keys: LeaseKeys, webhookId: string, text: string): Buffer {
  const [, keyId = '', payload = ''] = text.split(':');
  const sealed = Buffer.from(payload, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(keys, keyId), sealed.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(webhookId));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** True when it should be sealed anew, so that the key it was sealed with can go. */
export function isSealedWithOldKey(keys: LeaseKeys, text: string): boolean {
  return text.split(':')[1] !== keys.current;
}

function sealingKey(keys: LeaseKeys, keyId: string): Buffer {
  const material = keys.secrets.get(keyId);
  if (material === undefined) {
    throw new Error(
      `The webhook's secret is sealed with the key '${keyId}', which is no longer among the lease keys: ` +
        'put that key back, or rotate the secret.',
    );
  }
  return Buffer.from(hkdfSync('sha256', material, '', PURPOSE, KEY_BYTES));
}
