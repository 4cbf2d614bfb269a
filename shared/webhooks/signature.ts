/** Standard Webhooks 1.0: the headers that prove to a receiver who sent these bytes, and when. */
import { createHmac } from 'node:crypto';

/** What a secret is shown and configured as, in base64, behind this. */
export const SECRET_PREFIX = 'whsec_';

/** One signature per secret: while a secret is rotated, receivers with the old one and with the new one accept. */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * @param id The event's id, the same at every attempt: receivers tell a repeat by it. No dots.
 * @param sentAt When this attempt is made, in ms; receivers refuse what is older than five minutes.
 * @param body What is sent, to the byte.
 * @param secrets At least one; the newest first.
 */
export function signatureHeaders(
  id: string,
  sentAt: number,
  body: string,
  secrets: readonly Buffer[],
): SignatureHeaders {
  const timestamp = String(Math.floor(sentAt / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}

function sign(secret: Buffer, content: string): string {
  return `v1,${createHmac('sha256', secret).update(content).digest('base64')}`;
}
