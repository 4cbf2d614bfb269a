import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import type { Resolve } from '../../shared/webhooks/guarded-lookup.ts';
import { createPost } from '../../shared/webhooks/post.ts';
import { receiverForTest, status } from './support/receiver.ts';

const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };
const PRIVATE: LookupAddress = { address: '10.0.0.1', family: 4 };
const PUBLIC: LookupAddress = { address: '93.184.216.34', family: 4 };
const METADATA: LookupAddress = { address: '::ffff:169.254.169.254', family: 6 };

/** Answers one list after the other, and the last for ever. */
function resolver(...answers: LookupAddress[][]): { resolve: Resolve; asked: () => number } {
  let asked = 0;
  const resolve: Resolve = (_hostname, _options, done) => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    done(null, answer);
  };
  return { resolve, asked: () => asked };
}

const HEADERS = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };
const send = createPost({ targets: 'loopback', timeoutMs: 300 });

describe('a request to a receiver', () => {
  test('carries the bytes and headers as given, and brings back status and the start of the answer', async () => {
    const receiver = await receiverForTest(
      status(202, { 'retry-after': '7', 'webhook-delivery': 'disable' }, 'ok'),
    );
    const body = '{"text":"zwölf Boxkämpfer"}';
    expect(await send(receiver.url, HEADERS, body)).toEqual({
      answer: { status: 202, excerpt: 'ok', retryAfter: '7', command: 'disable' },
    });
    const [got] = receiver.received;
    expect(got?.body).toBe(body);
    expect(got?.headers).toMatchObject({ ...HEADERS, 'content-length': String(Buffer.byteLength(body)) });
  });

  test('keeps 1,024 bytes of an answer of any length', async () => {
    const receiver = await receiverForTest(status(500, {}, 'x'.repeat(5_000_000)));
    const result = await send(receiver.url, HEADERS, '{}');
    expect(result).toMatchObject({ answer: { status: 500, excerpt: 'x'.repeat(1_024) } });
  });

  test('follows no redirect', async () => {
    const secret = await receiverForTest();
    const receiver = await receiverForTest(status(307, { location: secret.url }));
    expect(await send(receiver.url, HEADERS, '{}')).toMatchObject({ answer: { status: 307 } });
    expect(secret.connections()).toBe(0);
  });

  test('ends at its time limit when no answer comes', async () => {
    const receiver = await receiverForTest(() => undefined);
    expect(await send(receiver.url, HEADERS, '{}')).toEqual({
      problem: 'timeout',
      error: 'No answer in time',
    });
  });

  test('ends at its time limit when the headers dribble in', async () => {
    const receiver = await receiverForTest((response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\nx: ');
      const timer = setInterval(() => response.socket?.write('a'), 20);
      response.socket?.once('close', () => clearInterval(timer));
    });
    expect(await send(receiver.url, HEADERS, '{}')).toMatchObject({ problem: 'timeout' });
  });

  test('takes the status of an answer whose body never ends', async () => {
    const receiver = await receiverForTest((response) => {
      response.writeHead(200);
      response.write('begun');
    });
    const patient = createPost({ targets: 'loopback', timeoutMs: 5_000 });
    expect(await patient(receiver.url, HEADERS, '{}')).toMatchObject({
      answer: { status: 200, excerpt: 'begun' },
    });
  });

  test('ends when the receiver switches to another protocol', async () => {
    const receiver = await receiverForTest((response) => {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    expect(await send(receiver.url, HEADERS, '{}')).toMatchObject({ answer: { status: 101, excerpt: '' } });
  });

  test('ends at its time limit when early hints never end', async () => {
    const receiver = await receiverForTest((response) => {
      const timer = setInterval(() => response.writeEarlyHints({ link: '</a>; rel=preload' }), 20);
      response.socket?.once('close', () => clearInterval(timer));
    });
    expect(await send(receiver.url, HEADERS, '{}')).toMatchObject({ problem: 'timeout' });
  });

  test('fails on headers that are larger than anybody needs', async () => {
    const receiver = await receiverForTest(status(200, { 'retry-after': '9'.repeat(100_000) }));
    expect(await send(receiver.url, HEADERS, '{}')).toEqual({
      problem: 'failed',
      error: 'The request failed: HPE_HEADER_OVERFLOW',
    });
  });

  test('says why when nobody is there', async () => {
    const receiver = await receiverForTest();
    await receiver.close();
    expect(await send(receiver.url, HEADERS, '{}')).toEqual({
      problem: 'failed',
      error: 'The request failed: ECONNREFUSED',
    });
  });
});

describe('what is connected to', () => {
  test('is checked at every attempt: a name that turns private gets nothing any more (the-desk #566, temps #332)', async () => {
    const receiver = await receiverForTest();
    const { resolve, asked } = resolver([LOOPBACK], [PRIVATE], [METADATA]);
    const post = createPost({ targets: 'loopback', resolve });
    const url = `https://rebind.example.com:${receiver.port}/`;
    await post(url, HEADERS, '{}');
    expect(receiver.connections()).toBe(1);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await post(url, HEADERS, '{}')).toEqual({
        problem: 'failed',
        error: "'rebind.example.com' is not a public host",
      });
    }
    expect(receiver.connections()).toBe(1);
    expect(asked()).toBe(3);
  });

  test('is what was checked: the name is resolved once for both', async () => {
    const receiver = await receiverForTest();
    const { resolve, asked } = resolver([PUBLIC], [LOOPBACK]);
    const post = createPost({ targets: 'public', resolve, timeoutMs: 300 });
    expect(await post(`https://rebind.example.com:${receiver.port}/`, HEADERS, '{}')).toHaveProperty(
      'problem',
    );
    expect(asked()).toBe(1);
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    ['private', [PRIVATE]],
    ['this machine', [LOOPBACK]],
    ['instance metadata, mapped into IPv6', [METADATA]],
    ['public first, and private behind it', [PUBLIC, PRIVATE]],
    ['nothing', []],
  ])('is refused when the name resolves to %s', async (_what, addresses) => {
    const receiver = await receiverForTest();
    const post = createPost({ targets: 'public', resolve: resolver(addresses).resolve });
    expect(await post(`https://hooks.example.com:${receiver.port}/`, HEADERS, '{}')).toEqual({
      problem: 'failed',
      error: "'hooks.example.com' is not a public host",
    });
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://[::ffff:127.0.0.1]',
    'https://localhost',
    'http://127.0.0.1',
  ])('is refused by the address alone: %s', async (origin) => {
    const receiver = await receiverForTest();
    const post = createPost({ targets: 'public' });
    const result = await post(`${origin}:${receiver.port}/`, HEADERS, '{}');
    expect(result).toMatchObject({ problem: 'failed', error: expect.stringMatching(/^The address must/) });
    expect(receiver.connections()).toBe(0);
  });
});
