import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../shared/webhooks/signature.ts';
import { shownSecret } from '../../shared/webhooks/secret.ts';

const SECRET = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const OTHER = Buffer.alloc(32, 7);
const ID = 'evt_01J000000000000000000000AA_7';
const BODY = '{"type":"card.created","title":"é\\u2028"}';

const verify = (secret: Buffer, headers: object, body = BODY) =>
  new Webhook(shownSecret(secret)).verify(body, { ...headers });

describe('the headers of a delivery', () => {
  test('are those of the specification’s own example', () => {
    const at = 1_614_265_330_000;
    expect(signatureHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}', [SECRET])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('are accepted by the independent library, whose receiver sees the body', () => {
    const headers = signatureHeaders(ID, Date.now(), BODY, [OTHER]);
    expect(verify(OTHER, headers)).toEqual(JSON.parse(BODY));
  });

  test('are refused when the secret, the id, the time or a byte of the body is another', () => {
    const headers = signatureHeaders(ID, Date.now(), BODY, [OTHER]);
    expect(() => verify(SECRET, headers)).toThrow();
    expect(() => verify(OTHER, { ...headers, 'webhook-id': `${ID}1` })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => verify(OTHER, { ...headers, 'webhook-timestamp': later })).toThrow();
    expect(() => verify(OTHER, headers, BODY.replace(':', ': '))).toThrow();
  });

  test('carry a signature of each secret while one is rotated, so that either receiver accepts', () => {
    const headers = signatureHeaders(ID, Date.now(), BODY, [OTHER, SECRET]);
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    verify(OTHER, headers);
    verify(SECRET, headers);
    expect(() => verify(Buffer.alloc(32, 9), headers)).toThrow();
  });

  test('are made anew at each attempt: the same id, another time', () => {
    const first = signatureHeaders(ID, 1_000_000, BODY, [OTHER]);
    const second = signatureHeaders(ID, 2_000_000, BODY, [OTHER]);
    expect(second['webhook-id']).toBe(first['webhook-id']);
    expect(second['webhook-timestamp']).not.toBe(first['webhook-timestamp']);
    expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
  });
});
