import { describe, expect, test } from 'vitest';
import { problem } from '../../shared/errors.ts';
import { echoRoutes } from './support/echo-routes.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';

const SECRET = 'AKIA-very-secret';
const fail = { method: 'POST', path: '/v1/fail' };

const worldThatFails = async (error: () => unknown): Promise<HttpWorld> =>
  createHttpWorld({}, echoRoutes(error));

/** The last line of the log. */
function lastLine({ lines }: HttpWorld): Record<string, unknown> {
  return JSON.parse(lines.at(-1) ?? '{}');
}

describe('an error that nobody foresaw', () => {
  test.each([
    ['an error', () => new Error(`cannot reach ${SECRET}`)],
    ['an error with a cause', () => new Error('outer', { cause: new Error(SECRET) })],
    ['a TypeError', () => new TypeError(SECRET)],
    ['a string', () => SECRET],
    ['an object', () => ({ statusCode: 200, body: SECRET })],
    [
      'an error dressed up as a status',
      () => Object.assign(new Error(SECRET), { statusCode: 418, expose: true }),
    ],
  ])('is opaque outside and whole inside: %s', async (_, error) => {
    const http = await worldThatFails(error);

    const { status, headers, body } = await http.call(fail);

    expect(status).toBe(500);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type']);
    expect(body['code']).toBe('internal');
    expect(JSON.stringify([headers, body])).not.toMatch(new RegExp(`${SECRET}|\\.ts|at \\w+ \\(`));
    const line = lastLine(http);
    expect(line).toMatchObject({ level: 'ERROR', code: 'internal', request_id: body['request_id'] });
  });

  test('is logged with its stack and its causes, on one line', async () => {
    const cyclic = new Error('round and round');
    cyclic.cause = cyclic;
    for (const cause of [new Error(SECRET), cyclic]) {
      const http = await worldThatFails(() => new Error('outer', { cause }));
      await http.call(fail);
      expect(lastLine(http)).toMatchObject({
        error: { message: 'outer', stack: expect.stringContaining('.ts'), cause: { message: cause.message } },
      });
      expect(http.lines.at(-1)).not.toContain('\n');
    }
  });

  test('or none: no address forges a line of the log, nor a field of one', async () => {
    const http = await createHttpWorld();
    const forged = 'x\n{"_aws"}\u2028","agent"';
    await http.call({ path: `/v1/cards/${encodeURIComponent(forged)}` });

    expect(http.lines.at(-1)?.split(/[\r\n]/)).toHaveLength(1);
    const line = lastLine(http);
    expect(line).toMatchObject({ level: 'INFO', status: 404, card: forged });
    expect(line).not.toHaveProperty('_aws');
  });

  test('in the event itself is answered all the same', async () => {
    const http = await createHttpWorld();
    const { status, body } = await http.call({ path: '/healthz', headers: { odd: 5 as unknown as string } });
    expect(status).toBe(500);
    expect(body['code']).toBe('internal');
  });
});

describe('a refusal', () => {
  test('is problem details with its code, its request and what the code carries', async () => {
    const http = await worldThatFails(() =>
      problem('lease_held', 'The card is held.', { holder: 'a-1', expires_at: '2026-03-02T09:00:00.000Z' }),
    );

    const { status, headers, body } = await http.call(fail);

    expect(status).toBe(409);
    expect(body).toEqual({
      type: expect.stringMatching(/\/lease_held$/),
      title: 'The card is held by a worker',
      status: 409,
      detail: 'The card is held.',
      code: 'lease_held',
      request_id: headers['x-request-id'],
      holder: 'a-1',
      expires_at: '2026-03-02T09:00:00.000Z',
    });
  });

  test.each([
    ['throttled', 503],
    ['rate_limited', 429],
    ['idempotency_in_progress', 409],
  ] as const)('%s says when to come back', async (code, status) => {
    const http = await worldThatFails(() => problem(code, 'Busy.', { retry_after_seconds: 1.2 }));

    const answer = await http.call(fail);

    expect(answer.status).toBe(status);
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.body['retry_after_seconds']).toBe(1.2);
  });

  test('for want of a table that answers is logged with what the table said', async () => {
    const http = await worldThatFails(() => {
      const refusal = problem('throttled', 'Busy.', { retry_after_seconds: 1 });
      refusal.cause = new Error('ThrottlingException');
      return refusal;
    });
    await http.call(fail);
    expect(lastLine(http)).toMatchObject({
      level: 'WARN',
      code: 'throttled',
      error: { cause: { message: 'ThrottlingException' } },
    });
  });

  test('needs no token for an address that is none', async () => {
    const http = await createHttpWorld();
    const { status, body } = await http.call({ path: '/v1/nothing' }, null);
    expect(status).toBe(404);
    expect(body['code']).toBe('not_found');
  });

  test.each([
    '/%',
    '/v1/boards/%E0%A4%A',
    '/v1/boards/%00',
    '/v1/boards/%2F..%2F',
    `/v1/boards/${'x'.repeat(5_000)}`,
  ])('of %s is a refusal like any other', async (path) => {
    const http = await createHttpWorld();
    expect((await http.call({ path })).status).toBe(404);
  });
});

describe('the line of a request', () => {
  test('says what was asked, by whom, and how it ended', async () => {
    const http = await createHttpWorld();
    const token = await http.token('w1', { scopes: ['worker'] });

    await http.call({ path: '/v1/boards/bugs', headers: { 'x-agent': 'drafter-1' } }, token);

    expect(lastLine(http)).toEqual({
      timestamp: '2026-03-02T09:00:00.000Z',
      level: 'INFO',
      message: 'request',
      request_id: expect.any(String),
      method: 'GET',
      route: '/v1/boards/{board}',
      status: 404,
      code: 'not_found',
      ms: 0,
      board: 'bugs',
      token_id: 'w1',
      agent: 'drafter-1',
    });
  });

  test('holds no token, no header and no body', async () => {
    const http = await createHttpWorld();
    const token = await http.token('w1', { scopes: ['worker'] });
    const leaseToken = 'lt1_c2VjcmV0_signature';
    const body = { lease_token: leaseToken, note: 'private words' };

    await http.call({ method: 'POST', path: '/v1/leases/lse_x:renew', body }, token);
    await http.call(
      { method: 'POST', path: '/v1/leases/lse_x:renew', body: `{"lease_token": "${leaseToken}` },
      token,
    );
    await http.call({ path: '/v1/me', headers: { authorization: `Bearer ${token}x.` } }, null);

    expect(http.lines).toHaveLength(3);
    expect(http.lines.join()).not.toMatch(/lt1_|-secret-|private words|Bearer/);
  });
});
