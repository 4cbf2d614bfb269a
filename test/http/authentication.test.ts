import { beforeAll, describe, expect, test } from 'vitest';
import { TOKEN_CACHE_MS } from '../../shared/policy.ts';
import { tokenKey } from '../../shared/store/keys.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';

let http: HttpWorld;
const me = { path: '/v1/me' };

beforeAll(async () => {
  http = await createHttpWorld();
});

describe('a bearer token', () => {
  test('is told what it is', async () => {
    const token = await http.token('w1', { name: 'drafter', scopes: ['worker'], agent: 'drafter-1' });

    const { status, body } = await http.call(me, token);

    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'drafter', scopes: ['worker'], agent: 'drafter-1', board_id: null });
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('is taken after the scheme "%s"', async (scheme) => {
    const token = await http.token('scheme');

    const { status } = await http.call({ ...me, headers: { authorization: `${scheme} ${token}` } }, null);

    expect(status).toBe(200);
  });

  test.each([
    ['no header at all', {}],
    ['an empty header', { authorization: '' }],
    ['a scheme alone', { authorization: 'Bearer' }],
    ['another scheme', { authorization: `Basic ${'x'.repeat(40)}` }],
    ['something that is no token', { authorization: 'Bearer hello' }],
    ['an unknown id', { authorization: `Bearer lb_nobody_${'x'.repeat(40)}` }],
    ['a wrong secret', { authorization: `Bearer lb_admin_${'x'.repeat(40)}` }],
    ['a secret too short', { authorization: 'Bearer lb_admin_short' }],
    ['an id with a separator', { authorization: `Bearer lb_ad_min_#_${'x'.repeat(40)}` }],
    ['two tokens', { authorization: `Bearer lb_a_${'x'.repeat(40)},Bearer lb_b_${'x'.repeat(40)}` }],
  ])('is missing with %s: 401, and the scheme to use', async (_, headers) => {
    const { status, headers: answered, body } = await http.call({ ...me, headers }, null);

    expect(status).toBe(401);
    expect(body['code']).toBe('unauthenticated');
    expect(answered['www-authenticate']).toBe('Bearer');
  });

  test('ends when it expires, also where it is remembered', async () => {
    const token = await http.token('brief', { expires_at: http.world.clock.now() + 5_000 });
    expect((await http.call(me, token)).status).toBe(200);

    http.world.clock.advance(4_999);
    expect((await http.call(me, token)).status).toBe(200);
    http.world.clock.advance(1);
    expect((await http.call(me, token)).status).toBe(401);
  });

  test('that was revoked is refused within a minute, and looked up once in that time', async () => {
    const token = await http.token('gone');
    http.world.meter.reset();
    expect((await http.call(me, token)).status).toBe(200);
    expect((await http.call(me, token)).status).toBe(200);
    expect(http.world.meter.of('get').calls).toBe(1);

    await http.token('gone', { revoked_at: http.world.clock.now() });
    http.world.clock.advance(TOKEN_CACHE_MS);

    expect((await http.call(me, token)).status).toBe(401);
  });

  test('that is unknown is not remembered as unknown', async () => {
    const token = await http.token('late');
    await http.world.main.store.write({ kind: 'delete', key: tokenKey('late') });
    expect((await http.call(me, token)).status).toBe(401);

    await http.token('late');

    expect((await http.call(me, token)).status).toBe(200);
  });
});

describe('a scope', () => {
  test.each([
    ['worker', 'GET', '/v1/boards', 200],
    ['worker', 'POST', '/v1/boards', 403],
    ['worker', 'GET', '/v1/tokens', 403],
    ['worker', 'PUT', '/v1/boards/b/columns/c/contract', 403],
    ['worker', 'POST', '/v1/boards/b/columns/c:pause', 403],
    ['member', 'POST', '/v1/boards', 403],
    ['member', 'POST', '/v1/boards/none/columns/c:pause', 404],
    ['member', 'GET', '/v1/tokens', 403],
    ['admin', 'GET', '/v1/tokens', 200],
  ] as const)('%s gets to %s %s: %d', async (scope, method, path, status) => {
    const token = await http.token(scope, { scopes: [scope] });

    const answer = await http.call({ method, path, ...(method === 'GET' ? {} : { body: {} }) }, token);

    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body['code']).toBe('forbidden');
  });

  test('comes before the body: who may not use a route learns nothing of it', async () => {
    const token = await http.token('worker', { scopes: ['worker'] });

    const answer = await http.call({ method: 'POST', path: '/v1/boards', body: 'not json' }, token);

    expect(answer.status).toBe(403);
  });
});

describe('a session', () => {
  const name = { 'X-Agent': 'drafter-7' };

  test('names itself by a header', async () => {
    const token = await http.token('shared', { scopes: ['worker'] });

    const { body } = await http.call({ ...me, headers: name }, token);

    expect(body['agent']).toBe('drafter-7');
  });

  test('with a token bound to an agent speaks for no other', async () => {
    const token = await http.token('bound', { scopes: ['worker'], agent: 'drafter-1' });

    const other = await http.call({ ...me, headers: name }, token);
    const same = await http.call({ ...me, headers: { 'x-agent': 'drafter-1' } }, token);

    expect(other.status).toBe(403);
    expect(other.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('drafter-1') });
    expect(same.status).toBe(200);
  });

  test.each(['', 'two words', 'a,b', 'x'.repeat(129), 'é'])('cannot call itself "%s"', async (agent) => {
    const { status, body } = await http.call({ ...me, headers: { 'X-Agent': agent } });

    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/X-Agent' }] });
  });
});
