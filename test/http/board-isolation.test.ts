/**
 * The border between boards: with a token for one board, an admin's even, nothing of another board is seen, changed or
 * told from what does not exist. Every route of the table is walked, so a new one is held to it too.
 */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { documentClient } from '../../shared/store/client.ts';
import { createHttpWorld, type HttpWorld, type TestAnswer } from './support/http-world.ts';
import { shelf } from './support/shelf.ts';

type Json = Record<string, unknown>;

let http: HttpWorld;
/** What is on the other board, by the names of the parameters that lead to it. */
let theirs: Readonly<Record<string, string>>;
let ours: { readonly board: string; readonly column: string; readonly card: string };
/** An admin's token, for our board alone. */
let narrow: string;

beforeAll(async () => {
  http = await createHttpWorld({ bucketOf: () => shelf(), maxWaitMs: 0 });
  theirs = await furnishedBoard();
  const board = await post('/v1/boards', { name: 'Ours' });
  const column = queueOf(board);
  const card = await post(`/v1/boards/${String(board['id'])}/cards`, { title: 'Ours', column_id: column });
  ours = { board: String(board['id']), column, card: String(card['id']) };
  narrow = await http.token('narrow', { scopes: ['admin'], board_id: ours.board });
  // The first use of a day is noted.
  await http.call({ path: '/v1/me' }, narrow);
});

async function post(path: string, body: Json = {}): Promise<Json> {
  const answer = await http.call({ method: 'POST', path, body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function queueOf(board: Json): string {
  const columns = board['columns'] as { id: string; name: string }[];
  return columns.find(({ name }) => name === 'Ready')?.id ?? '';
}

/** A board with a card under a lease, an attempt, a file, a webhook, a delivery and a token. */
async function furnishedBoard(): Promise<Record<string, string>> {
  const made = await post('/v1/boards', { name: 'Theirs' });
  const board = String(made['id']);
  const column = queueOf(made);
  const { id: card } = await post(`/v1/boards/${board}/cards`, { title: 'Theirs', column_id: column });
  const file = { name: 'a.txt', content_type: 'text/plain', content_base64: 'YQ==' };
  const { id: attachment } = await post(`/v1/cards/${String(card)}/attachments`, file);
  const claim = await post(`/v1/boards/${board}/columns/${column}:claim-next`, { agent: 'ada' });
  const url = 'http://127.0.0.1:9009/hook';
  const { id: webhook } = await post(`/v1/boards/${board}/webhooks`, { url });
  const { id: delivery } = await post(`/v1/boards/${board}/webhooks/${String(webhook)}:test`);
  const { id: token_id } = await post('/v1/tokens', { name: 'w', scopes: ['worker'], board_id: board });
  const { lease_id: lease, lease_token } = claim;
  const run = String(lease).replace('lse_', 'run_');
  const made_there = {
    board,
    column,
    card,
    attachment,
    lease,
    lease_token,
    run,
    webhook,
    delivery,
    token_id,
  };
  return Object.fromEntries(Object.entries(made_there).map(([name, id]) => [name, String(id)]));
}

/** Everything that is stored, but the number that a card of ours would have got: it is taken before all is looked at. */
async function stored(): Promise<string[]> {
  const client = documentClient(http.world.table.clientOptions);
  const { Items = [] } = await client.send(
    new ScanCommand({ TableName: http.world.table.tableName, ConsistentRead: true }),
  );
  return Items.filter(({ sk }) => sk !== 'NUMBER')
    .map((item) => JSON.stringify(item))
    .toSorted();
}

const narrowed = async (method: string, path: string, body?: Json): Promise<TestAnswer> =>
  http.call({ method, path, ...(body === undefined ? {} : { body }) }, narrow);

/** Routes that name a board, or something on one. */
const NAMING = allRoutes.filter(({ path }) => path.includes('{'));

/** What a route must be told to get as far as looking for what it is about. */
const BODIES: Readonly<Record<string, () => Json>> = {
  'POST /v1/boards/{board}/columns': () => ({ name: 'New' }),
  'PUT /v1/boards/{board}/columns/{column}/contract': () => ({ enabled: true }),
  'POST /v1/boards/{board}/cards': () => ({ title: 'New' }),
  'POST /v1/boards/{board}/cards:batch': () => ({ cards: [{ title: 'New' }] }),
  'POST /v1/boards/{board}/cards:bulk': () => ({ ids: [theirs['card']], verb: 'archive' }),
  'POST /v1/boards/{board}/graphs': () => ({ cards: [{ ref: 'a', title: 'New' }] }),
  'POST /v1/boards/{board}/graphs:swarm': () => SWARM,
  'POST /v1/boards/{board}/webhooks': () => ({ url: 'http://127.0.0.1:9009/other' }),
  'POST /v1/boards/{board}/webhooks/{webhook}:recover': () => ({ since: '2026-01-01T00:00:00Z' }),
  'PATCH /v1/cards/{card}': () => ({ title: 'New' }),
  'POST /v1/cards/{card}:assign': () => ({ assignee: 'eve' }),
  'POST /v1/cards/{card}:move': () => ({ column_id: ours.column }),
  'POST /v1/cards/{card}:block': () => ({ reason: 'why' }),
  'POST /v1/cards/{card}:reclaim': () => ({ reason: 'why' }),
  'POST /v1/cards/{card}/links': () => ({ parent_id: ours.card }),
  'POST /v1/cards/{card}:decompose': () => ({ cards: [{ ref: 'a', title: 'New' }] }),
  'POST /v1/cards/{card}/comments': () => ({ body: 'New' }),
  'POST /v1/cards/{card}/attachments': () => FILE,
};

const SWARM = { goal: 'Find out', workers: [null], verifier: null, synthesizer: null };
const FILE = { name: 'b.txt', content_type: 'text/plain', content_base64: 'YQ==' };
/** With the lease's own token: it is good for nobody of another board. */
const OF_LEASE = () => ({ lease_token: theirs['lease_token'], reason: 'why', summary: 'what' });
const QUERIES: Readonly<Record<string, () => string>> = {
  'DELETE /v1/cards/{card}/links': () => `?parent_id=${ours.card}`,
};

function requestOf(route: string, ids: Readonly<Record<string, string>>): { path: string; body?: Json } {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  const isOfLease = method === 'POST' && template.startsWith('/v1/leases/');
  const body = BODIES[route] ?? (isOfLease ? () => fitting(route, OF_LEASE()) : undefined);
  return { path: `${path}${QUERIES[route]?.() ?? ''}`, ...(body === undefined ? {} : { body: body() }) };
}

/** Those fields of a body that the route takes. */
function fitting(route: string, body: Json): Json {
  const found = allRoutes.find(({ method, path }) => `${method} ${path}` === route);
  const shape =
    found !== undefined && 'body' in found && found.body instanceof z.ZodObject ? found.body.shape : {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in shape));
}

describe('with a token of one board, of another', () => {
  test.each(NAMING.map(({ method, path }) => `${method} ${path}`))(
    '%s finds nothing and changes nothing',
    async (route) => {
      const before = await stored();
      const { path, body } = requestOf(route, theirs);

      const answer = await narrowed(route.split(' ')[0] ?? '', path, body);

      expect([answer.status, answer.body['code']]).toEqual([404, 'not_found']);
      expect(await stored()).toEqual(before);
    },
  );
});

/** Every id of the answer that the request named, by one word; and the request's own id left out. */
function anonymous({ status, body }: TestAnswer, ids: readonly string[]): string {
  const { request_id: _, ...rest } = body;
  return ids.reduce((text, id) => text.replaceAll(id, 'ID'), JSON.stringify([status, rest]));
}

describe('what is on another board', () => {
  test.each(['board', 'card', 'lease', 'run'] as const)(
    'is answered as a %s that does not exist',
    async (kind) => {
      const id = theirs[kind] ?? '';
      const none = id.replace(/.{10}(?=$|_\d+$)/, '0000000000');
      const path = `/v1/${kind}s/`;

      const hidden = await narrowed('GET', `${path}${id}`);
      const missing = await narrowed('GET', `${path}${none}`);

      expect(none).not.toBe(id);
      expect(anonymous(hidden, [id])).toBe(anonymous(missing, [none]));
    },
  );

  test.each<[string, () => [method: string, path: string, body: Json]]>([
    [
      'a column for a new card',
      () => ['POST', `${own()}/cards`, { title: 'x', column_id: theirs['column'] }],
    ],
    ['a parent', () => ['POST', `${own()}/cards`, { title: 'x', parents: [theirs['card']] }]],
    ['a container', () => ['POST', `${own()}/cards`, { title: 'x', container_id: theirs['card'] }]],
    ['a parent, afterwards', () => ['POST', `${ownCard()}/links`, { parent_id: theirs['card'] }]],
    ['a child', () => ['POST', `${ownCard()}/links`, { child_id: theirs['card'] }]],
    ['a column to move to', () => ['POST', `${ownCard()}:move`, { column_id: theirs['column'] }]],
    ['a card to stand before', () => ['POST', `${ownCard()}:move`, { before: theirs['card'] }]],
    ['a container, afterwards', () => ['PATCH', ownCard(), { container_id: theirs['card'] }]],
    [
      'a part of a graph',
      () => [
        'POST',
        `${own()}/graphs`,
        { cards: [{ ref: 'a', title: 'x' }], links: [{ parent: theirs['card'], child: 'a' }] },
      ],
    ],
    [
      'where completed cards go',
      () => [
        'PUT',
        `${own()}/columns/${ours.column}/contract`,
        { enabled: true, on_success_column_id: theirs['column'] },
      ],
    ],
    [
      'the cards that a webhook is about',
      () => ['POST', `${own()}/webhooks`, { ...HOOK, card_id: theirs['card'] }],
    ],
    ['the board of a new token', () => ['POST', '/v1/tokens', { ...TOKEN, board_id: theirs['board'] }]],
    ['no board for a new token', () => ['POST', '/v1/tokens', TOKEN]],
    ['the board of a role', () => ['POST', '/v1/roles', { ...ROLE, board_id: theirs['board'] }]],
    ['no board for a role', () => ['POST', '/v1/roles', ROLE]],
    ['a board beside it', () => ['POST', '/v1/boards', { name: 'Another' }]],
  ])('cannot be named as %s', async (_, request) => {
    const before = await stored();

    const { status } = await narrowed(...request());

    expect([403, 404, 422]).toContain(status);
    expect(await stored()).toEqual(before);
  });

  test('is passed over among many, one by one', async () => {
    const before = await stored();
    const lease = { lease_id: theirs['lease'], lease_token: theirs['lease_token'] };

    const renewed = await narrowed('POST', '/v1/leases:renew-batch', { leases: [lease] });
    const archived = await narrowed('POST', `${own()}/cards:bulk`, {
      ids: [theirs['card']],
      verb: 'archive',
    });

    expect(JSON.stringify([renewed.body, archived.body]).match(/"code":"not_found"/g)).toHaveLength(2);
    expect(await stored()).toEqual(before);
  });

  test('is in no list', async () => {
    const lists = await Promise.all(['/v1/boards', '/v1/tokens'].map(async (path) => narrowed('GET', path)));

    expect(lists.map(({ status }) => status)).toEqual([200, 200]);
    const text = JSON.stringify(lists);
    expect(Object.values(theirs).filter((id) => text.includes(id))).toEqual([]);
  });
});

const own = () => `/v1/boards/${ours.board}`;
const ownCard = () => `/v1/cards/${ours.card}`;
const HOOK = { url: 'http://127.0.0.1:9009/other' };
const TOKEN = { name: 'x', scopes: ['admin'] };
const ROLE = { role_arn: 'arn:aws:iam::111122223333:role/Any', scopes: ['admin'] };
