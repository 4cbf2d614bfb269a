import { beforeAll, describe, expect, test } from 'vitest';
import { echoRoutes } from './support/echo-routes.ts';
import { createHttpWorld, type HttpWorld, type TestAnswer } from './support/http-world.ts';

const MEBIBYTE = 1_048_576;

let http: HttpWorld;

beforeAll(async () => {
  http = await createHttpWorld({}, echoRoutes());
});

const patch = async (body: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  http.call({ method: 'PATCH', path: '/v1/echoes/e1', body, headers });

const say = async (body: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  http.call({ method: 'POST', path: '/v1/echoes/e1:say', body, headers });

describe('a body', () => {
  test('that is absent counts as an empty object, whatever its type is said to be', async () => {
    for (const headers of [{}, { 'content-type': 'text/plain' }]) {
      const { status, body } = await say(undefined, headers);
      expect(status).toBe(200);
      expect(body['input']).toEqual({ echo: 'e1' });
    }
  });

  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json;charset=utf-8'])(
    'is taken as %s',
    async (type) => {
      expect((await patch({ free: 1 }, { 'content-type': type })).status).toBe(200);
    },
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'text/json', ''])(
    'of the type "%s" is refused with the type to use',
    async (type) => {
      const { status, body } = await patch({ free: 1 }, { 'content-type': type });
      expect(status).toBe(415);
      expect(body).toMatchObject({
        code: 'unsupported_media_type',
        detail: expect.stringContaining('Content-Type: application/json'),
      });
    },
  );

  test('may arrive in base64, as the gateway sends what it takes for binary', async () => {
    const sent = { free: 'Grüße 🦊' };
    const { status, body } = await http.call({
      method: 'PATCH',
      path: '/v1/echoes/e1',
      body: sent,
      base64: true,
    });
    expect(status).toBe(200);
    expect(body['input']).toEqual({ ...sent, echo: 'e1' });
  });

  test.each([false, true])('may have a mebibyte and no more (base64: %s)', async (base64) => {
    const frame = Buffer.byteLength(JSON.stringify({ free: '' }));
    const send = async (length: number) =>
      http.call({ method: 'PATCH', path: '/v1/echoes/e1', body: { free: 'x'.repeat(length) }, base64 });

    expect((await send(MEBIBYTE - frame)).status).toBe(200);
    const { status, body } = await send(MEBIBYTE - frame + 1);
    expect(status).toBe(413);
    expect(body).toMatchObject({
      code: 'payload_too_large',
      detail: expect.stringContaining(`${MEBIBYTE + 1}`),
    });
  });

  test('is counted in bytes, not in characters', async () => {
    const { status } = await patch({ free: '🦊'.repeat(MEBIBYTE / 4) });
    expect(status).toBe(413);
  });

  test.each([
    ['{', 'cut off'],
    ['{"free": 1,}', 'a comma too many'],
    ["{'free': 1}", 'single quotes'],
    ['NaN', 'no JSON number'],
    ['{"free": 01}', 'a leading zero'],
    ['\u{FEFF}{', 'a byte order mark'],
    ['free', 'a bare word'],
  ])('%s is malformed: %s', async (text) => {
    const { status, body } = await patch(text);
    expect(status).toBe(400);
    expect(body['code']).toBe('malformed_json');
  });

  test('that is no UTF-8 is malformed', async () => {
    const body = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
    const answer = await http.call({ method: 'PATCH', path: '/v1/echoes/e1', body, base64: true });
    expect(answer.status).toBe(400);
  });

  test.each(['1', '"text"', 'null', 'true', '[]', '[{"free": 1}]'])(
    'that is %s and no object does not fit',
    async (text) => {
      const { status, body } = await patch(text);
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: '' }] });
    },
  );

  test('nested as deep as the bytes allow is refused, not recursed into', async () => {
    const depth = MEBIBYTE / 2 - 10;
    const { status, body } = await patch(`{"free":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ message: expect.stringContaining('nest') }] });
  });

  test.each([
    ['{"free": {"__proto__": {"admin": true}}}', '/free/__proto__'],
    ['{"__proto__": {"free": 1}}', '/__proto__'],
    ['{"free": "\\ud800"}', '/free'],
    ['{"free": {"\\udfff": 1}}', '/free/\ufffd'],
    ['{"free": 1e300}', '/free'],
    ['{"free": 1e999}', '/free'],
    ['{"free": [-9007199254740993]}', '/free/0'],
    [`{"free": {"${'k'.repeat(200)}": 1e999}}`, `/free/${'k'.repeat(100)}`],
  ])('%s holds what would not stay as it is, and is told where', async (text, path) => {
    const { status, body } = await patch(text);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
    expect(Object.prototype).not.toHaveProperty('admin');
  });

  const odd: readonly { readonly free: unknown }[] = [
    { free: { constructor: { name: 'Set' } } },
    { free: { '': 1, hasOwnProperty: 2, toString: 3 } },
    { free: [1e-200, -0.1] },
    { free: 'a\u0000' },
  ];
  test.each(odd)('may hold %j', async (sent) => {
    expect((await patch(sent)).body['input']).toEqual({ echo: 'e1', ...sent });
  });

  test('with a name twice counts the last', async () => {
    const { body } = await patch('{"free": 1, "free": 2}');
    expect(body['input']).toEqual({ echo: 'e1', free: 2 });
  });

  test('with unknown fields is refused with each of their names', async () => {
    const { status, body } = await patch({ fre: 1, 'a/b~c': 2, free: 3 });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [
        { path: '/fre', message: expect.stringContaining("'fre'") },
        { path: '/a~1b~0c', message: expect.stringContaining("'a/b~c'") },
      ],
    });
  });

  test('with a fault inside is told the place as a JSON pointer', async () => {
    const { body } = await patch({ tags: ['a', 2], one_of: { name: 'n' } });
    expect(body['errors']).toEqual([
      { path: '/tags/1', message: expect.any(String) },
      { path: '/one_of/size', message: expect.any(String) },
    ]);
  });

  test('with a thousand faults is told the first twenty', async () => {
    const { body } = await patch({ tags: Array.from({ length: 1_000 }, () => 1) });
    expect(body['errors']).toHaveLength(20);
  });

  test('cannot say what the path says', async () => {
    const { status } = await patch({ echo: 'e2' });
    expect(status).toBe(422);
  });
});

describe('a query', () => {
  const get = async (query: string) => http.call({ path: `/v1/echoes/e1${query}` });

  test('takes its defaults where it is silent', async () => {
    expect((await get('')).body['input']).toEqual({ echo: 'e1', limit: 50 });
    expect((await get('?limit=7')).body['input']).toEqual({ echo: 'e1', limit: 7 });
  });

  test.each([
    ['?limit=0', '/limit'],
    ['?limit=101', '/limit'],
    ['?limit=ten', '/limit'],
    ['?limit=', '/limit'],
    ['?limt=5', '/limt'],
    ['?limit=5&limit=6', '/limit'],
    ['?hard=yes', '/hard'],
    ['?echo=e2', '/echo'],
    ['?__proto__=1', '/__proto__'],
  ])('%s is refused by name', async (query, path) => {
    const { status, body } = await get(query);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  test('that is not properly encoded is read as far as it can be', async () => {
    const { status } = await get('?%=1&%ff=2');
    expect(status).toBe(422);
  });

  test('is refused where a route takes none', async () => {
    const { status } = await http.call({ method: 'POST', path: '/v1/echoes?dry_run=true', body: {} });
    expect(status).toBe(422);
  });
});

describe('a header', () => {
  test('gives the lease token where the body does not', async () => {
    const header = { 'X-Lease-Token': 'lt1_abc' };
    expect((await patch({}, header)).body['input']).toMatchObject({ lease_token: 'lt1_abc' });
    expect((await patch({ lease_token: 'lt1_abc' }, header)).status).toBe(200);
    const { status, body } = await patch({ lease_token: 'lt1_other' }, header);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ path: '/lease_token' }] });
    expect(JSON.stringify(body)).not.toContain('lt1_');
  });

  test('and a field name the agent, and have to agree', async () => {
    const header = { 'X-Agent': 'drafter-1' };
    expect((await say({ agent: 'drafter-1' })).body['agent']).toBe('drafter-1');
    expect((await say({}, header)).body['agent']).toBe('drafter-1');
    expect((await say({ agent: 'drafter-1' }, header)).body['agent']).toBe('drafter-1');
    expect((await say({ agent: 'drafter-2' }, header)).status).toBe(422);
    expect((await say({ agent: 'no name' })).body).toMatchObject({ errors: [{ path: '/agent' }] });
  });

  test('names the agent alone where the field means another', async () => {
    const { body } = await patch({ agent: 'reviewer-1' }, { 'X-Agent': 'drafter-1' });
    expect(body).toEqual({ agent: 'drafter-1', input: { echo: 'e1', agent: 'reviewer-1' } });
  });

  test('with a token bound to another agent makes the field forbidden too', async () => {
    const token = await http.token('bound', { agent: 'drafter-1' });
    const request = { method: 'POST', path: '/v1/echoes/e1:say', body: { agent: 'drafter-2' } };
    expect((await http.call(request, token)).body['code']).toBe('forbidden');
  });

  test.each([
    ['"7"', 7],
    ['W/"7"', 7],
    [' "0" ', 0],
  ])('If-Match %s asks for revision %d', async (tag, rev) => {
    expect((await patch({}, { 'If-Match': tag })).body['input']).toEqual({ echo: 'e1', if_match: rev });
  });

  test('If-Match * asks for nothing that is not so', async () => {
    expect((await patch({}, { 'If-Match': '*' })).body['input']).toEqual({ echo: 'e1' });
  });

  test.each(['7', '"x"', '', '"-1"', '"1e3"', '"99999999999999999999"'])(
    'If-Match %s never was a tag of ours, so the revision is stale',
    async (tag) => {
      const { status, body } = await patch({}, { 'If-Match': tag });
      expect(status).toBe(412);
      expect(body['code']).toBe('stale_revision');
    },
  );

  test('If-Match with several tags is refused', async () => {
    expect((await patch({}, { 'If-Match': '"1", "2"' })).status).toBe(422);
  });
});

describe('a request that may be repeated', () => {
  const create = async (body: unknown, key?: string, path = '/v1/echoes') =>
    http.call({
      method: 'POST',
      path,
      body,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });

  test('carries nothing without a key', async () => {
    expect((await create({ free: 1 })).body['repeat']).toBeNull();
  });

  test('is known by its key, route and body', async () => {
    const { body } = await create({ free: 1 }, 'key-1');
    expect(body['repeat']).toEqual({
      key: 'key-1',
      route: 'POST /v1/echoes',
      fingerprint: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    });
  });

  test.each([
    ['"key-1"', 'key-1'],
    ['"a \\"b\\" \\\\"', 'a "b" \\'],
    ['k'.repeat(255), 'k'.repeat(255)],
    ['half"quoted', 'half"quoted'],
  ])('has the key %s quoted or bare', async (header, key) => {
    expect((await create({}, header)).body['repeat']).toMatchObject({ key });
  });

  test.each(['', '""', 'k'.repeat(256), 'é', 'a\tb'])('cannot have the key "%s"', async (key) => {
    const { status, body } = await create({}, key);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ path: '/Idempotency-Key' }] });
  });

  test('has one fingerprint however its body is written, and another for another body', async () => {
    const fingerprint = async (body: unknown): Promise<unknown> => {
      const repeat = (await create(body, 'k')).body['repeat'];
      return typeof repeat === 'object' && repeat !== null && 'fingerprint' in repeat
        ? repeat.fingerprint
        : null;
    };
    const first = await fingerprint('{"tags":["a","b"],"free":{"x":1,"y":2}}');
    expect(await fingerprint(' { "free": {"y": 2.0, "x": 1e0}, "tags": ["a", "b"] } ')).toBe(first);
    expect(await fingerprint('{"tags":["b","a"],"free":{"x":1,"y":2}}')).not.toBe(first);
    expect(await fingerprint('{"tags":["a","b"],"free":[["x",1],["y",2]]}')).not.toBe(first);
  });

  test('says when it was answered from before, and whether it made something', async () => {
    const made = await create({ free: 'new' }, 'k');
    const known = await create({ free: 'known' }, 'k');
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([known.status, known.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });
});
