/**
 * Verifies a delivery of a webhook: Standard Webhooks 1.0, with Web Crypto alone, so that it runs in Node, Lambda,
 * browsers and edge runtimes.
 */

/** Headers as `fetch` has them, or as Node and Lambda do. Names in any case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookVerdict =
  | { readonly valid: true; readonly id: string; readonly timestamp: Date }
  | {
      readonly valid: false;
      /** `headers`: missing or no sense in them; `timestamp`: too old or too new; `signature`: made by somebody else. */
      readonly reason: 'headers' | 'timestamp' | 'signature' | 'secret';
    };

export interface VerifyOptions {
  /** Seconds that the delivery may be older or newer than now; default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since the epoch; default the platform's clock. */
  readonly now?: number;
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
/** A sender signs with two secrets at most while it rotates them; a header with thousands is an attack. */
const SIGNATURES_MAX = 20;

/**
 * True to the bytes: `body` is what came in, before anybody has parsed it. A body that was parsed and written again is
 * another body.
 *
 * @param secret `whsec_...`, or several: the one before a rotation and the one after.
 * @returns a verdict whatever the headers hold; it never rejects.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookVerdict> {
  const [id, sent, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !signatures || sent === undefined || !/^[1-9]\d{0,11}$/.test(sent)) return refused('headers');
  const now = options.now ?? Date.now();
  const age = Math.abs(now / 1_000 - Number(sent));
  if (age > (options.toleranceSeconds ?? TOLERANCE_SECONDS)) return refused('timestamp');
  const given = signatures.split(' ', SIGNATURES_MAX).map(signatureBytes);
  const signed = concat(`${id}.${sent}.`, body);
  let usable = false;
  let matched = false;
  for (const text of typeof secret === 'string' ? [secret] : secret) {
    const key = await importKey(text);
    if (key === null) continue;
    usable = true;
    for (const bytes of given) {
      // Verified by Web Crypto, which compares in constant time; all are, so that time tells nothing of which.
      if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) matched = true;
    }
  }
  if (matched) return { valid: true, id, timestamp: new Date(Number(sent) * 1_000) };
  return refused(usable ? 'signature' : 'secret');
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function refused(reason: 'headers' | 'timestamp' | 'signature' | 'secret'): WebhookVerdict {
  return { valid: false, reason };
}

/** The first value of a header; undefined when there is none. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const value: unknown = Array.isArray(found) ? found[0] : found;
  return typeof value === 'string' ? value : undefined;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get: (name: string) => string | null } {
  return typeof headers.get === 'function';
}

/** Bytes of a `v1,<base64>`; null for other versions and for what is no base64. */
function signatureBytes(text: string): Uint8Array<ArrayBuffer> | null {
  return text.startsWith('v1,') ? base64Bytes(text.slice(3)) : null;
}

function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function importKey(secret: string): Promise<Key | null> {
  const bytes = base64Bytes(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === null || bytes.length === 0) return null;
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function concat(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = [encoder.encode(head), typeof body === 'string' ? encoder.encode(body) : body];
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
