import { beforeAll, describe, expect, test } from 'vitest';
import { createHttpWorld, type HttpWorld } from '../http/support/http-world.ts';

let http: HttpWorld;
let worker: string;
let columns: Readonly<Record<string, string>>;

beforeAll(async () => {
  http = await createHttpWorld();
  worker = await http.token('worker', { scopes: ['worker'], agent: 'ada' });
  const board = await post('/v1/boards', { name: 'Pipeline', slug: 'pipeline' });
  const list = board.body['columns'] as { id: string; name: string }[];
  columns = Object.fromEntries(list.map(({ id, name }) => [name, id]));
});

const post = async (path: string, body: object = {}, headers: Record<string, string> = {}, token?: string) =>
  http.call({ method: 'POST', path, body, headers }, token);
const get = async (path: string) => http.call({ path });
const made = async (body: object): Promise<string> =>
  String(
    (await post('/v1/boards/pipeline/cards', { title: 'A card', column_id: columns['Ready'], ...body })).body[
      'id'
    ],
  );
const next = async () => post(`/v1/boards/pipeline/columns/${columns['Ready']}:claim-next`, {}, {}, worker);
const idsOf = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);

describe('links over HTTP', () => {
  test('are made, listed and taken away; a cycle is answered with its path', async () => {
    const parent = await made({ hold: true });
    const child = await made({ hold: true });
    const linked = await post(`/v1/cards/${child}/links`, { parent_id: parent }, { 'idempotency-key': 'l1' });
    expect([linked.status, linked.body]).toEqual([201, { parent_id: parent, child_id: child }]);
    const again = await post(`/v1/cards/${child}/links`, { parent_id: parent }, { 'idempotency-key': 'l1' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect((await post(`/v1/cards/${parent}/links`, { child_id: child })).status).toBe(200);
    const cycle = await post(`/v1/cards/${parent}/links`, { parent_id: child });
    expect([cycle.status, cycle.body['code'], cycle.body['path']]).toEqual([
      409,
      'conflict',
      [parent, child, parent],
    ]);
    expect((await post(`/v1/cards/${parent}/links`, {})).status).toBe(422);
    const links = await get(`/v1/cards/${child}/links`);
    expect([idsOf(links.body['parents']), links.body['children']]).toEqual([[parent], []]);
    const gone = await http.call({
      method: 'DELETE',
      path: `/v1/cards/${child}/links?parent_id=${parent}`,
    });
    expect(gone.status).toBe(204);
    expect((await get(`/v1/cards/${child}/links`)).body).toEqual({ parents: [], children: [] });
  });

  test('of a worker are its own card’s only, with the token in body or header', async () => {
    const card = await made({ title: 'Held' });
    const parent = await made({ hold: true });
    const held = await next();
    expect((held.body['card'] as { id: string }).id).toBe(card);
    const path = `/v1/cards/${card}/links`;
    expect((await post(path, { parent_id: parent }, {}, worker)).status).toBe(403);
    const token = { 'x-lease-token': String(held.body['lease_token']) };
    expect((await post(path, { parent_id: parent }, token, worker)).status).toBe(201);
    const lease = `/v1/leases/${String(held.body['lease_id'])}`;
    const refused = await post(`${lease}:complete`, {}, token, worker);
    expect([refused.status, refused.body['code'], refused.body['parents']]).toEqual([
      409,
      'parents_open',
      [parent],
    ]);
    expect((await post(`${lease}:release`, {}, token, worker)).status).toBe(200);
  });

  test('a graph, its breaking down and a swarm are one call each; the frontier tells what to take', async () => {
    const card = (ref: string) => ({ ref, title: `The ${ref}`, column_id: columns['Ready'] });
    const graph = { cards: [card('scout'), card('writer')], links: [{ parent: 'scout', child: 'writer' }] };
    const first = await post('/v1/boards/pipeline/graphs', graph, { 'idempotency-key': 'g1' });
    expect([first.status, Object.keys(first.body['cards'] as object)]).toEqual([201, ['scout', 'writer']]);
    const again = await post('/v1/boards/pipeline/graphs', graph, { 'idempotency-key': 'g1' });
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
      201,
      first.body,
      'true',
    ]);
    const { scout } = first.body['cards'] as Record<string, string>;
    const frontier = await get(`/v1/boards/pipeline/frontier?agent=eve&column=${columns['Ready']}`);
    expect([frontier.status, idsOf(frontier.body['items'])]).toEqual([200, [scout]]);
    const root = await made({ hold: true });
    const broken = await post(`/v1/cards/${root}:decompose`, {
      cards: [{ ref: 'only', title: 'Only part' }],
    });
    expect([broken.status, Object.keys(broken.body['cards'] as object)]).toEqual([200, ['only']]);
    expect((await post(`/v1/cards/${root}:decompose`, { cards: [{ ref: 'x', title: 'x' }] })).status).toBe(
      409,
    );
    const swarm = { goal: 'Find the leak', workers: ['ada', null], verifier: 'eve', synthesizer: null };
    const swarming = await post('/v1/boards/pipeline/graphs:swarm', swarm);
    expect([swarming.status, Object.keys(swarming.body['cards'] as object)]).toEqual([
      201,
      ['root', 'worker-1', 'worker-2', 'verifier', 'synthesizer'],
    ]);
    const typo = await post('/v1/boards/pipeline/graphs', { ...graph, link: [] });
    expect([typo.status, typo.body['errors']]).toMatchObject([422, [{ path: '/link' }]]);
  });
});
