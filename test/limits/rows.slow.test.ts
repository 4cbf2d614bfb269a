import { beforeAll, expect, test } from 'vitest';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { GRAPH_CHILDREN_MAX, LIMITS, PARENTS_AT_ONCE } from '../../shared/policy.ts';
import { TRANSACTION_MAX } from '../../shared/store/limits.ts';
import { createHttpWorld, type HttpWorld } from '../http/support/http-world.ts';
import { seedCards } from '../support/seed.ts';
import { findColumn } from '../../shared/columns.ts';

/** API Gateway ends an integration of an HTTP API after 30 s, whatever the function's own timeout says. */
const GATEWAY_SECONDS = 30;

let http: HttpWorld;
let board: string;
let ready: string;

type Json = Record<string, unknown>;
const post = async (path: string, body: Json) => http.call({ method: 'POST', path, body });
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

beforeAll(async () => {
  http = await createHttpWorld({ maxWaitMs: 0 });
  const { body } = await post('/v1/boards', { name: 'Bounds' });
  board = `/v1/boards/${String(body['slug'])}`;
  const columns = body['columns'] as { name: string; id: string }[];
  ready = columns.find(({ name }) => name === 'Ready')?.id ?? '';
});

async function cards(count: number): Promise<string[]> {
  const column = await findColumn(http.world.main, ready);
  if (column === undefined) throw new Error('The column is gone');
  return seedCards(http.world, column, count);
}

const countCards = async (): Promise<unknown> => {
  const { body } = await http.call({ path: board });
  return body['cards'];
};

test('rows: a hundred are taken, one more is refused by name and none of them is done', async () => {
  const row = { title: 'One of many', column_id: ready };
  const full = await post(`${board}/cards:batch`, { cards: times(LIMITS.batch, () => row) });
  expect(full.status).toBe(200);
  const ids = (full.body['items'] as { card: { id: string } }[]).map(({ card }) => card.id);
  expect(ids).toHaveLength(LIMITS.batch);
  const before = await countCards();
  const lease = { lease_id: `lse_${ids[0]?.slice(4)}_1`, lease_token: 'x' };
  const over: readonly [string, Json, string][] = [
    [`${board}/cards:batch`, { cards: times(LIMITS.batch + 1, () => row) }, '/cards'],
    [`${board}/cards:bulk`, { ids: [...ids, 'crd_one_more'], verb: 'archive' }, '/ids'],
    ['/v1/leases:renew-batch', { leases: times(LIMITS.batch + 1, () => lease) }, '/leases'],
    [`${board}/columns/${ready}:claim-batch`, { max: LIMITS.claimBatch + 1 }, '/max'],
  ];
  for (const [path, body, pointer] of over) {
    const { status, body: refused } = await post(path, body);
    expect([path, status]).toEqual([path, 422]);
    expect(refused['errors'], path).toEqual([expect.objectContaining({ path: pointer })]);
  }
  expect(await countCards()).toEqual(before);
  expect((await post('/v1/leases:renew-batch', { leases: times(LIMITS.batch, () => lease) })).status).toBe(
    200,
  );
  expect((await post(`${board}/cards:bulk`, { ids, verb: 'archive' })).status).toBe(200);
});

test('parents: as many as one transaction holds, one more, the most, and one beyond, which makes nothing', async () => {
  const parents = await cards(LIMITS.parents + 1);
  const child = (count: number) => ({ title: 'Child', column_id: ready, parents: parents.slice(0, count) });
  // Two items an edge, beside those of the card itself.
  expect(2 * PARENTS_AT_ONCE).toBeLessThan(TRANSACTION_MAX);
  for (const count of [PARENTS_AT_ONCE, PARENTS_AT_ONCE + 1, LIMITS.parents]) {
    const { status, body } = await post(`${board}/cards`, child(count));
    expect([count, status, body['waiting_on']]).toEqual([count, 201, 'parents']);
    const links = await http.call({ path: `/v1/cards/${String(body['id'])}/links` });
    expect(links.body['parents']).toHaveLength(count);
  }
  const before = await countCards();
  const refused = await post(`${board}/cards`, child(LIMITS.parents + 1));
  expect([refused.status, refused.body['errors']]).toEqual([
    422,
    [expect.objectContaining({ path: '/parents' })],
  ]);
  expect(await countCards()).toEqual(before);
});

test('a graph blocks as many cards outside it as its commit holds, and one that would block more is none', async () => {
  const outside = await cards(GRAPH_CHILDREN_MAX + 1);
  const graph = (count: number) => ({
    cards: [{ ref: 'a', title: 'A', column_id: ready }],
    links: outside.slice(0, count).map((child) => ({ parent: 'a', child })),
  });
  const before = await countCards();
  const refused = await post(`${board}/graphs`, graph(GRAPH_CHILDREN_MAX + 1));
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.status).toBeLessThan(500);
  expect(String(refused.body['detail'])).toContain(`at most ${GRAPH_CHILDREN_MAX}`);
  expect(await countCards()).toEqual(before);
  const taken = await post(`${board}/graphs`, graph(GRAPH_CHILDREN_MAX));
  expect([taken.status, taken.body['detail']]).toEqual([201, undefined]);
});

test('a wait is 20 s at most, and every function that answers requests is done before the gateway gives up', async () => {
  const wait = async (seconds: number) =>
    post(`${board}/columns/${ready}:claim-next`, { agent: 'nobody', tenant: 'none', wait_seconds: seconds });
  expect((await wait(20)).status).toBe(200);
  const refused = await wait(21);
  expect([refused.status, refused.body['errors']]).toEqual([
    422,
    [expect.objectContaining({ path: '/wait_seconds' })],
  ]);
  const answering = Object.values(FUNCTIONS).filter(({ routes }) => routes.length > 0);
  expect(answering.length).toBeGreaterThan(2);
  for (const { timeoutSeconds } of answering) expect(timeoutSeconds).toBeLessThan(GATEWAY_SECONDS);
});
