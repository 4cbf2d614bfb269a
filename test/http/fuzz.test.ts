import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { isOpen, type Route } from '../../functions/http/route.ts';
import type { TestRequest } from './support/gateway-event.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';

/** Requests per route and kind: the whole file in some ten seconds, on the real table. */
const RUNS = 20;

let http: HttpWorld;
/** Ids that name something, so that a body which passes its schema reaches what its verb does. */
let known: Record<string, string>;

beforeAll(async () => {
  http = await createHttpWorld();
  known = await seeded();
});

async function seeded(): Promise<Record<string, string>> {
  const post = async (path: string, body: object) => (await http.call({ method: 'POST', path, body })).body;
  const board = await post('/v1/boards', { name: 'Fuzz' });
  const columns = board['columns'] as { id: string; name: string }[];
  const column = columns.find(({ name }) => name === 'Ready')?.id ?? '';
  const path = `/v1/boards/${String(board['id'])}`;
  await post(`${path}/cards`, { title: 'Held', column_id: column });
  const claim = await post(`${path}/columns/${column}:claim-next`, {});
  const card = await post(`${path}/cards`, { title: 'Free', column_id: column });
  return {
    board: String(board['id']),
    column,
    card: String(card['id']),
    lease: String(claim['lease_id']),
    run: String(claim['lease_id']).replace('lse', 'run'),
    token_id: 'tok_none',
    lease_token: String(claim['lease_token']),
  };
}

/** Every answer is one of the API's own, and no answer is a fault of ours. */
async function expectNoFault(request: TestRequest): Promise<void> {
  const { status } = await http.call(request);
  expect(status, JSON.stringify([request, http.lines.at(-1)])).toBeLessThan(500);
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('', ' ', '#', '..', '\u0000'),
);
const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const value = fc.oneof(
  json,
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.array(text, { maxLength: 12 }),
  fc.constantFrom('member', 'worker', '2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'a'.repeat(70_000)),
);

function paramValue(name: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(name) },
    { weight: 1, arbitrary: text.map((raw) => `=${encodeURIComponent(raw.toWellFormed())}`) },
  );
}

/** A path of the route; known ids are put in when it is sent. */
function pathOf({ path }: { readonly path: string }): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name);
  return fc.tuple(...names.map(paramValue)).map((values) => {
    let at = 0;
    return path.replaceAll(/\{[a-z_]+\}/g, () => {
      const chosen = values[at++] ?? '';
      return chosen.startsWith('=') ? chosen.slice(1) : (known[chosen] ?? 'x');
    });
  });
}

/** Bodies that say something for the fields that the route knows, mostly nonsense. */
function bodyOf({ shownBody }: Route): fc.Arbitrary<unknown> {
  if (!(shownBody instanceof z.ZodObject)) return json;
  const fields = Object.keys(shownBody.shape).map((name) => [name, fieldValue(name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

function fieldValue(name: string): fc.Arbitrary<unknown> {
  if (name === 'lease_token') return fc.constantFrom('lt1_x', '', 'lt1_YWJj_' + 'x'.repeat(43));
  if (name.endsWith('column_id')) return fc.oneof(value, fc.constantFrom('col_none', null));
  if (name === 'title' || name === 'name') return fc.oneof(fc.string({ minLength: 1 }), value);
  if (name === 'reason') return fc.oneof(fc.string({ minLength: 1 }), value);
  return value;
}

/** A value as it is after having been JSON: without a negative zero. */
const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const routes = allRoutes.filter((route): route is Route => !isOpen(route));

describe('nonsense is never a fault of ours', () => {
  test.each(routes.filter((route) => route.body !== null))(
    'in the fields of $method $path',
    async (route) => {
      await fc.assert(
        fc.asyncProperty(pathOf(route), bodyOf(route), async (path, body) =>
          expectNoFault({ method: route.method, path, body }),
        ),
        { numRuns: RUNS },
      );
    },
  );

  test.each(routes)('in path and query of $method $path', async (route) => {
    const names = route.query instanceof z.ZodObject ? Object.keys(route.query.shape) : [];
    const query = fc.array(fc.tuple(fc.constantFrom('x', 'limit', 'cursor', ...names), text), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(pathOf(route), query, async (path, pairs) => {
        const search = new URLSearchParams(pairs).toString();
        await expectNoFault({ method: route.method, path: `${path}?${search}` });
      }),
      { numRuns: RUNS },
    );
  });

  test('in what a worker hands over, which comes back as it was where it is taken', async () => {
    const column = `/v1/boards/${known['board']}/columns/${known['column']}`;
    const post = async (path: string, body: object) => http.call({ method: 'POST', path, body });
    await fc.assert(
      fc.asyncProperty(json, fc.dictionary(text, json, { maxKeys: 3 }), async (output, properties) => {
        await post(`/v1/boards/${known['board']}/cards`, { title: 'Work', column_id: known['column'] });
        const { body: claim } = await post(`${column}:claim-next`, {});
        const path = `/v1/leases/${String(claim['lease_id'])}:complete`;
        const { status, body } = await post(path, { lease_token: claim['lease_token'], output, properties });
        expect(status, JSON.stringify([output, properties, body])).toBeLessThan(500);
        if (status === 200) expect(body['card']).toMatchObject({ output: written(output) });
      }),
      { numRuns: 60 },
    );
  });

  test('in the bytes of a body', async () => {
    const mangled = fc.tuple(json, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(mangled, fc.boolean(), async ([sound, faults], base64) => {
        const body = Buffer.from(JSON.stringify({ title: 'x', properties: sound }));
        for (const [at, byte] of faults) body[at % body.length] = byte;
        await expectNoFault({ method: 'POST', path: `/v1/boards/${known['board']}/cards`, body, base64 });
      }),
      { numRuns: 100 },
    );
  });

  test('in headers', async () => {
    const name = fc.constantFrom(
      'idempotency-key',
      'x-agent',
      'x-lease-token',
      'if-match',
      'content-type',
      'authorization',
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, text, { maxKeys: 4 }), async (headers) => {
        const path = `/v1/boards/${known['board']}/columns/${known['column']}:claim-next`;
        await expectNoFault({ method: 'POST', path, body: { tenant: 'none' }, headers });
      }),
      { numRuns: 200 },
    );
  });

  test('in methods and paths', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'get', '');
    const part = fc.oneof(fc.constantFrom('v1', 'boards', 'cards', 'leases', ':claim', '%', '%2F', ''), text);
    await fc.assert(
      fc.asyncProperty(method, fc.array(part, { maxLength: 6 }), async (verb, parts) =>
        expectNoFault({ method: verb, path: `/${parts.join('/').replaceAll('?', '')}` }),
      ),
      { numRuns: 200 },
    );
  });
});
