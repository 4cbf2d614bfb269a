import { beforeAll, describe, expect, test } from 'vitest';
import { createHttpWorld, type HttpWorld, type TestAnswer } from './support/http-world.ts';

let http: HttpWorld;
let board: string;
/** Ids of the columns of the default template by name. */
let columns: Map<string, string>;

beforeAll(async () => {
  http = await createHttpWorld();
  const { body } = await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Bugs' } });
  board = `/v1/boards/${String(body['slug'])}`;
  columns = new Map(list(body['columns']).map((column) => [String(column['name']), String(column['id'])]));
});

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const object = (value: unknown): Json => value as Json;

const post = async (path: string, body: Json = {}, headers = {}): Promise<TestAnswer> =>
  http.call({ method: 'POST', path, body, headers });
const get = async (path: string): Promise<TestAnswer> => http.call({ path });
const column = (name: string): string => `${board}/columns/${columns.get(name) ?? ''}`;

async function newCard(more: Json = {}): Promise<Json> {
  const { status, body } = await post(`${board}/cards`, {
    title: 'Fix it',
    column_id: columns.get('Ready'),
    ...more,
  });
  expect(status).toBe(201);
  return body;
}

async function claim(more: Json = {}): Promise<Json> {
  const { status, body } = await post(`${column('Ready')}:claim-next`, { agent: 'fixer-1', ...more });
  expect(status).toBe(200);
  return body;
}

test('a fraction too near to 0 for the table is refused where it stands, and nothing else is', async () => {
  await newCard();
  const claimed = await claim();
  const lease_token = claimed['lease_token'];
  const renewed = await post(`/v1/leases/${String(claimed['lease_id'])}:renew`, {
    lease_token,
    progress: 1e-200,
  });
  const contract = { enabled: true, backoff_jitter: 1e-200 };
  const put = await http.call({ method: 'PUT', path: `${column('Triage')}/contract`, body: contract });
  expect([renewed, put].map(({ status, body }) => [status, list(body['errors'])[0]?.['path']])).toEqual([
    [422, '/progress'],
    [422, '/backoff_jitter'],
  ]);
  await post(`/v1/leases/${String(claimed['lease_id'])}:complete`, { lease_token });
});

test('a claim repeated in another agent’s name is another claim, wherever the name stands', async () => {
  await newCard();
  const key = { 'idempotency-key': 'one-claim' };
  const first = await post(`${column('Ready')}:claim-next`, {}, { ...key, 'x-agent': 'ada' });
  const again = await post(`${column('Ready')}:claim-next`, { agent: 'ada' }, key);
  const other = await post(`${column('Ready')}:claim-next`, {}, { ...key, 'x-agent': 'bob' });
  expect(again.body).toMatchObject({ lease_token: first.body['lease_token'] });
  expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
  const { lease_id, lease_token } = first.body;
  await post(`/v1/leases/${String(lease_id)}:complete`, { lease_token });
});

describe('a card', () => {
  test('is claimed, kept alive, completed and found with its run', async () => {
    const made = await newCard({ title: 'Story', properties: { size: 3 } });
    const claimed = await claim();
    expect(object(claimed['card'])).toMatchObject({ id: made['id'], state: 'leased' });
    const lease = `/v1/leases/${String(claimed['lease_id'])}`;
    const held = { lease_token: claimed['lease_token'] };

    const renewed = await post(`${lease}:heartbeat`, { ...held, progress: 50 });
    const shown = await get(lease);
    const completed = await post(`${lease}/complete`, { ...held, summary: 'Done', output: { fixed: true } });

    expect([renewed.status, shown.status, completed.status]).toEqual([200, 200, 200]);
    expect(shown.body).toMatchObject({ state: 'active', agent: 'fixer-1', progress: 50 });
    const run = object(completed.body['run']);
    expect(run).toMatchObject({ outcome: 'completed', summary: 'Done' });
    expect((await get(`/v1/runs/${String(run['id'])}`)).body).toEqual(run);
    const after = await get(`/v1/cards/${String(made['id'])}`);
    expect(after.body).toMatchObject({ output: { fixed: true }, summary: 'Done' });
    expect(after.headers['etag']).toBe(`"${String(after.body['rev'])}"`);
  });

  test('changed with the ETag of an older reading is left alone', async () => {
    const { id, rev } = await newCard({ column_id: columns.get('Triage') });
    const path = `/v1/cards/${String(id)}`;
    const patch = async (title: string) =>
      http.call({ method: 'PATCH', path, body: { title }, headers: { 'If-Match': `"${String(rev)}"` } });

    const first = await patch('Mine');
    const second = await patch('Theirs');

    expect([first.status, second.status, second.body['code']]).toEqual([200, 412, 'stale_revision']);
    expect(first.headers['etag']).toBe(`"${String(first.body['rev'])}"`);
    expect((await get(path)).body['title']).toBe('Mine');
  });

  test('given a lease token by header is completed too', async () => {
    await newCard();
    const claimed = await claim();
    const path = `/v1/leases/${String(claimed['lease_id'])}:complete`;
    const { status } = await post(path, {}, { 'X-Lease-Token': String(claimed['lease_token']) });
    expect(status).toBe(200);
  });

  test('failed and given back is counted, and a stale token is told who has it', async () => {
    const made = await newCard();
    const first = await claim();
    const lease = `/v1/leases/${String(first['lease_id'])}`;
    expect((await post(`${lease}:release`, { lease_token: first['lease_token'] })).status).toBe(200);
    const second = await claim({ agent: 'fixer-2' });
    expect(object(second['card'])['id']).toBe(made['id']);

    const late = await post(`${lease}:renew`, { lease_token: first['lease_token'] });

    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: 'lease_lost',
      reason: 'released',
      current: { agent: 'fixer-2' },
    });
    const failed = await post(`/v1/leases/${String(second['lease_id'])}:fail`, {
      lease_token: second['lease_token'],
      reason: 'no luck',
      retryable: false,
    });
    expect(failed.body).toMatchObject({ dead_lettered: true, next_attempt_at: null });
    expect((await post(`/v1/cards/${String(made['id'])}:redrive`)).status).toBe(200);
    expect((await post(`${column('Ready')}:redrive`)).body).toMatchObject({ redriven: 0 });
    await post(`/v1/cards/${String(made['id'])}:archive`);
  });
});

describe('an idempotency key', () => {
  test('answers a create again with the same card, and refuses another body', async () => {
    const key = { 'Idempotency-Key': 'create-1' };
    const body = { title: 'Once', column_id: columns.get('Triage') };
    const first = await post(`${board}/cards`, body, key);
    const again = await post(`${board}/cards`, body, key);
    const other = await post(`${board}/cards`, { ...body, title: 'Twice' }, key);

    expect([first.status, again.status, other.status]).toEqual([201, 201, 422]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.body['id']).toBe(first.body['id']);
    expect(other.body['code']).toBe('idempotency_key_reused');
  });

  test('answers a claim again with the same lease, at either spelling of the verb', async () => {
    await newCard();
    const key = { 'Idempotency-Key': '"claim-1"' };
    const first = await post(`${column('Ready')}:claim-next`, { agent: 'fixer-1' }, key);
    const again = await post(`${column('Ready')}/claim-next`, { agent: 'fixer-1' }, key);

    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body['lease_token']).toBe(first.body['lease_token']);
    await post(`/v1/leases/${String(first.body['lease_id'])}:complete`, {
      lease_token: first.body['lease_token'],
    });
  });
});

describe('a column', () => {
  test('without a contract hands out nothing, paused says so, and an empty queue gives a hint', async () => {
    expect((await post(`${column('To do')}:claim-next`)).body['code']).toBe('contract_disabled');
    expect((await post(`${column('Ready')}:pause`)).body['paused']).toBe(true);
    expect(await claim()).toMatchObject({ card: null, reason: 'paused' });
    expect((await post(`${column('Ready')}:resume`)).body['paused']).toBe(false);
    expect(await claim()).toMatchObject({ card: null, retry_after_seconds: expect.any(Number) });
    expect((await post(`${column('Ready')}:claim-batch`, { max: 2 })).body['claims']).toEqual([]);
  });

  test('takes back the contract that it shows, and names what is wrong with another', async () => {
    const { body: contract } = await get(`${column('Ready')}/contract`);
    const put = async (body: unknown) =>
      http.call({ method: 'PUT', path: `${column('Ready')}/contract`, body });

    expect((await put(contract)).body).toEqual(contract);
    const refused = await put({ enabled: true, lease_ttl_seconds: 1, lease_ttl: 5 });
    expect(refused.status).toBe(422);
    expect(refused.body['code']).toBe('invalid_contract');
    expect(
      list(refused.body['errors'])
        .map((fault) => String(fault['path']))
        .sort(),
    ).toEqual(['/lease_ttl', '/lease_ttl_seconds']);
    expect((await get(`${column('Ready')}/contract`)).body).toEqual(contract);
  });
});

describe('many at once', () => {
  test('are created, listed, changed and deleted, each row with its own answer', async () => {
    const rows = [{ title: 'One' }, { title: '' }, { title: 'Three', unknown: 1 }];
    const made = await post(`${board}/cards:batch`, { cards: rows });
    expect(list(made.body['items']).map(({ index, status }) => [index, status])).toEqual([
      [0, 201],
      [1, 422],
      [2, 422],
    ]);
    const id = object(list(made.body['items'])[0]?.['card'])['id'];
    expect((await get(`${board}/cards?limit=1`)).body['next_cursor']).toEqual(expect.any(String));

    const bulk = await post(`${board}/cards:bulk`, { ids: [id, 'crd_none'], verb: 'delete' });

    expect(list(bulk.body['items']).map(({ status }) => status)).toEqual([204, 404]);
    expect((await get(`/v1/cards/${String(id)}`)).status).toBe(404);
  });

  test.each(['/cards', '/leases', ''])(
    'are listed from a cursor of the list%s, and from no other',
    async (of) => {
      const path = of === '' ? '/v1/boards' : `${board}${of}`;
      const { status, body } = await get(`${path}?cursor=made-up`);
      expect([status, body['code']]).toEqual([400, 'invalid_cursor']);
    },
  );

  test('leases are renewed in one call, each with its own answer', async () => {
    await newCard();
    const claimed = await claim();
    const leases = [
      { lease_id: claimed['lease_id'], lease_token: claimed['lease_token'] },
      { lease_id: claimed['lease_id'], lease_token: 'lt1_wrong' },
    ];
    const { status, body } = await post('/v1/leases:renew-batch', { leases });
    expect(status).toBe(200);
    expect(list(body['items'])).toMatchObject([
      { lease_id: claimed['lease_id'], signals: { wrap_up: false } },
      { lease_id: claimed['lease_id'], error: { code: 'lease_lost', status: 409 } },
    ]);
  });
});

describe('a board', () => {
  test('is made with its columns, renamed, archived, restored and deleted', async () => {
    const made = await post('/v1/boards', { name: 'Short lived', template: 'empty' });
    const path = `/v1/boards/${String(made.body['id'])}`;
    expect(made.status).toBe(201);
    const patched = await http.call({ method: 'PATCH', path, body: { description: 'brief' } });
    expect(patched.body['description']).toBe('brief');
    const added = await post(`${path}/columns`, { name: 'Doing' });
    expect(added.status).toBe(201);
    const columnPath = `${path}/columns/${String(added.body['id'])}`;
    expect((await http.call({ method: 'PATCH', path: columnPath, body: { name: 'Done' } })).status).toBe(200);
    expect((await http.call({ method: 'DELETE', path: columnPath })).status).toBe(204);
    expect((await http.call({ method: 'DELETE', path })).status).toBe(204);
    expect((await get(path)).body['archived_at']).not.toBeNull();
    expect((await post(`${path}:restore`)).body['archived_at']).toBeNull();
    expect((await http.call({ method: 'DELETE', path: `${path}?hard=true` })).status).toBe(204);
    expect((await get(path)).status).toBe(404);
    expect((await get('/v1/boards')).status).toBe(200);
  });
});

describe('a token', () => {
  test('is made, shown once, used, listed without its secret and revoked', async () => {
    const made = await post('/v1/tokens', { name: 'worker', scopes: ['worker'] });
    const token = String(made.body['token']);
    expect(made.status).toBe(201);
    expect((await http.call({ path: '/v1/me' }, token)).body['scopes']).toEqual(['worker']);

    const listed = await get('/v1/tokens');
    expect(JSON.stringify(listed.body)).not.toContain(token.slice(-20));
    const path = `/v1/tokens/${String(made.body['id'])}`;
    expect((await http.call({ method: 'DELETE', path })).status).toBe(204);
    http.world.clock.advance(60_000);
    expect((await http.call({ path: '/v1/me' }, token)).status).toBe(401);
  });

  test('for one board knows of no other', async () => {
    const other = await post('/v1/boards', { name: 'Other' });
    const made = await post('/v1/tokens', {
      name: 'guest',
      scopes: ['member'],
      board_id: other.body['id'],
    });
    const token = String(made.body['token']);
    const card = await newCard({ column_id: columns.get('Triage') });

    expect((await http.call({ path: `/v1/boards/${String(other.body['id'])}` }, token)).status).toBe(200);
    expect((await http.call({ path: board }, token)).status).toBe(404);
    expect((await http.call({ path: `/v1/cards/${String(card['id'])}` }, token)).status).toBe(404);
    const boards = await http.call({ path: '/v1/boards' }, token);
    expect(list(boards.body['items']).map(({ id }) => id)).toEqual([other.body['id']]);
  });
});
