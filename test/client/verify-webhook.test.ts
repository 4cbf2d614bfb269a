import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, type VerifyOptions, type WebhookHeaders } from '../../client/verify-webhook.ts';
import { signatureHeaders } from '../../shared/webhooks/signature.ts';
import { shownSecret } from '../../shared/webhooks/secret.ts';

const NOW = Date.UTC(2026, 2, 2, 9);
const SECRET = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const ID = 'evt_01J000000000000000000000AA_7';
const BODY = '{"type": "card.created", "title": "zwölf ☕"}';

const signed = (secrets = [SECRET], sentAt = NOW, body = BODY) => ({
  ...signatureHeaders(ID, sentAt, body, secrets),
});
const verify = async (
  headers: WebhookHeaders,
  body: string | Uint8Array = BODY,
  options: VerifyOptions = {},
) => verifyWebhook(body, headers, shownSecret(SECRET), { now: NOW, ...options });

describe('a delivery', () => {
  test('is valid with the headers as fetch, Node or Lambda have them, and the body as text or bytes', async () => {
    const headers = signed();
    const valid = { valid: true, id: ID, timestamp: new Date(NOW) };
    expect(await verify(headers)).toEqual(valid);
    expect(await verify(new Headers(headers))).toEqual(valid);
    expect(
      await verify({
        'Webhook-Id': [headers['webhook-id']],
        'WEBHOOK-TIMESTAMP': headers['webhook-timestamp'],
        'webhook-signature': headers['webhook-signature'],
      }),
    ).toEqual(valid);
    expect(await verify(headers, new TextEncoder().encode(BODY))).toEqual(valid);
  });

  test('is valid when the independent library signed it', async () => {
    const signature = new Webhook(shownSecret(SECRET)).sign(ID, new Date(NOW), BODY);
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(NOW / 1_000),
      'webhook-signature': signature,
    };
    expect(await verify(headers)).toMatchObject({ valid: true });
  });

  test('is refused when its body was parsed and written again', async () => {
    expect(await verify(signed(), JSON.stringify(JSON.parse(BODY)))).toEqual({
      valid: false,
      reason: 'signature',
    });
  });

  test('is refused when its id or its time is another than was signed', async () => {
    const headers = signed();
    expect(await verify({ ...headers, 'webhook-id': 'evt_2' })).toEqual({
      valid: false,
      reason: 'signature',
    });
    const later = String(NOW / 1_000 + 1);
    expect(await verify({ ...headers, 'webhook-timestamp': later })).toEqual({
      valid: false,
      reason: 'signature',
    });
  });

  test('is refused when it is more than five minutes old or new, and taken when it was retried a day later (svix #93, flipper #1022)', async () => {
    const minutes = (count: number) => NOW + count * 60_000;
    expect(await verify(signed([SECRET], minutes(-5)))).toMatchObject({ valid: true });
    expect(await verify(signed([SECRET], minutes(5)))).toMatchObject({ valid: true });
    expect(await verify(signed([SECRET], minutes(-6)))).toEqual({ valid: false, reason: 'timestamp' });
    expect(await verify(signed([SECRET], minutes(6)))).toEqual({ valid: false, reason: 'timestamp' });
    const tomorrow = minutes(24 * 60);
    expect(await verify(signed([SECRET], tomorrow), BODY, { now: tomorrow })).toMatchObject({ valid: true });
    expect(await verify(signed([SECRET], minutes(-6)), BODY, { toleranceSeconds: 600 })).toMatchObject({
      valid: true,
    });
  });

  test('is taken with either secret while one is rotated, on either side', async () => {
    expect(await verify(signed([OTHER, SECRET]))).toMatchObject({ valid: true });
    const both = [shownSecret(SECRET), shownSecret(OTHER)];
    expect(await verifyWebhook(BODY, signed([OTHER]), both, { now: NOW })).toMatchObject({ valid: true });
    expect(await verify(signed([OTHER]))).toEqual({ valid: false, reason: 'signature' });
  });

  test('is refused, and nothing thrown, whatever is in the headers', async () => {
    const headers = signed();
    for (const name of Object.keys(headers) as (keyof typeof headers)[]) {
      const { [name]: _, ...rest } = headers;
      expect(await verify(rest), name).toEqual({ valid: false, reason: 'headers' });
    }
    const garbage = [
      '',
      ' ',
      'v1',
      'v1,',
      'v1,é',
      'v1,!!!!',
      'v1a,AAAA',
      `v2,${'A'.repeat(44)}`,
      '\u0000',
      'v1,'.repeat(5_000),
      `v1,${'A'.repeat(100_000)}`,
    ];
    for (const text of garbage) {
      const verdict = await verify({ ...headers, 'webhook-signature': text });
      expect(verdict.valid, text.slice(0, 20)).toBe(false);
    }
    for (const text of ['', 'now', '-1', '1e9', '1.5', ' 1', '９９', String(NOW), 'Infinity', '0x10']) {
      expect((await verify({ ...headers, 'webhook-timestamp': text })).valid, text).toBe(false);
    }
    expect(await verify({ get: undefined })).toMatchObject({ valid: false });
  });

  test('is refused with a secret that is none, and that is said', async () => {
    for (const secret of ['', 'whsec_', 'whsec_é', []])
      expect(await verifyWebhook(BODY, signed(), secret, { now: NOW })).toEqual({
        valid: false,
        reason: 'secret',
      });
  });
});
