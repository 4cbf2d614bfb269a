/** What stands before the protocol: the site, the token, the method, the size. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../shared/policy.ts';
import { createMcpWorld, type McpWorld } from './support/mcp-world.ts';
import { legacy, modern, raw, type RawRequest } from './support/raw.ts';

let mcp: McpWorld;

beforeAll(async () => {
  mcp = await createMcpWorld();
});

afterAll(async () => mcp.close());

/** Sends with the admin's token unless the request has one. */
async function call(request: RawRequest) {
  const headers = { authorization: `Bearer ${mcp.admin}`, ...request.headers };
  return raw(mcp.origin, { ...request, headers });
}

describe('the token', () => {
  test.each([
    ['none', {}],
    ['a made-up one', { authorization: `Bearer lb_nobody_${'x'.repeat(40)}` }],
    ['another scheme', { authorization: 'Basic cm9vdDpyb290' }],
  ])('is asked for with the bearer challenge when there is %s', async (_, headers) => {
    const { status, headers: answered, body } = await raw(mcp.origin, { ...legacy('tools/list'), headers });
    expect([status, body['code']]).toEqual([401, 'unauthenticated']);
    expect(answered['www-authenticate']).toMatch(/^Bearer\b/);
    expect(answered['www-authenticate']).not.toMatch(/resource_metadata/);
  });

  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('comes before the method: %s', async (method) => {
    const stranger = await raw(mcp.origin, { method });
    const known = await call({ method });
    expect([stranger.status, known.status]).toEqual([401, 405]);
    expect(known.headers['allow']).toBe('POST');
  });

  test('is seen by no log line, whatever is called with it', async () => {
    await call(modern('tools/call', { name: 'get_me', arguments: {} }));
    const secret = mcp.admin.split('_').at(-1) ?? '';
    expect(mcp.lines.join('\n')).not.toContain(secret);
  });

  test('bound to one agent speaks for no other', async () => {
    const bound = await mcp.token('bound', { scopes: ['worker'], agent: 'drafter-1' });
    const headers = { authorization: `Bearer ${bound}`, 'x-agent': 'drafter-2' };
    const { status, body } = await call({ ...legacy('tools/list'), headers });
    expect([status, body['code']]).toEqual([403, 'forbidden']);
  });
});

describe('the site', () => {
  test.each(['http://evil.example', 'https://127.0.0.1.evil.example', 'null', 'http://'])(
    'of the page %s may not call',
    async (origin) => {
      const { status, body } = await call({ ...legacy('tools/list'), headers: { origin } });
      expect([status, body['code']]).toEqual([403, 'forbidden']);
    },
  );

  test.each(['evil.example', '127.0.0.1.evil.example:80', '[::2]'])(
    'is this one, and not %s, though that may resolve to it',
    async (host) => {
      const { status, body } = await call({ ...legacy('tools/list'), headers: { host } });
      expect([status, body['code']]).toEqual([403, 'forbidden']);
    },
  );

  test('is refused before the token is looked at', async () => {
    const { status } = await raw(mcp.origin, { ...legacy('tools/list'), headers: { host: 'evil.example' } });
    expect(status).toBe(403);
  });

  test.each(['localhost', '127.0.0.1', '[::1]'])('goes by the name of %s too, on any port', async (name) => {
    const headers = { host: `${name}:9`, origin: `http://${name}:8` };
    expect((await call({ ...legacy('tools/list'), headers })).status).toBe(200);
  });
});

describe('an OAuth client that looks for a server', () => {
  test.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
  ])('hears at %s, in JSON, that there is none', async (path) => {
    const { status, headers, body } = await raw(mcp.origin, { method: 'GET', path });
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
    expect(body['detail']).toMatch(/no OAuth server here/);
  });

  test.each(['/register', '/authorize', '/token'])('finds nothing at %s either', async (path) => {
    const { status, headers } = await raw(mcp.origin, { path, body: {} });
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  });
});

describe('the body', () => {
  test('may be as large as over HTTP, and no larger', async () => {
    const padding = (bytes: number) => ({
      ...legacy('ping'),
      body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`.padEnd(bytes),
    });
    const largest = await call(padding(LIMITS.requestBytes));
    const larger = await call(padding(LIMITS.requestBytes + 1));
    expect([largest.status, larger.status]).toEqual([200, 413]);
  });

  test('has to be JSON, and say so', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await call({ ...legacy('ping'), headers })).status).toBe(415);
  });

  test.each([
    ['half', '{"jsonrpc":', -32_700],
    [
      'a number that would be rounded',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":12345678901234567890}}',
      -32_602,
    ],
    ['nested beyond reason', '['.repeat(100_000), -32_700],
    ['nested too deep', `${'['.repeat(1_000)}${']'.repeat(1_000)}`, -32_602],
    ['no message', '{}', -32_600],
    ['nothing', '', -32_600],
    [
      'a batch of too many',
      JSON.stringify(Array.from({ length: 21 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
      -32_600,
    ],
  ])('that is %s is refused as the protocol says', async (_, body, code) => {
    const answer = await call({ body });
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatchObject({ code });
  });
});
