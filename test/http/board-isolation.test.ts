/**
 * The border between boards: with a token for one board, an admin's even, nothing of another board is seen, changed or
 * told from what does not exist. Every route of the table is walked, so a new one is held to it too.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../functions/http/all-routes.ts';
import {
  emptyBoard,
  furnishedBoard,
  HOOK,
  post,
  requestOf,
  stored,
  type Furnished,
  type Json,
} from './support/furnished-board.ts';
import { createHttpWorld, type HttpWorld, type TestAnswer } from './support/http-world.ts';
import { shelf } from './support/shelf.ts';

let http: HttpWorld;
/** Everything that is stored, as it was after the test before. */
let untouched: readonly string[];
let theirs: Furnished;
let ours: { readonly board: string; readonly column: string; readonly card: string };
/** An admin's token, for our board alone. */
let narrow: string;

beforeAll(async () => {
  http = await createHttpWorld({ bucketOf: () => shelf(), maxWaitMs: 0 });
  theirs = await furnishedBoard(http, 'Theirs');
  const { board, column } = await emptyBoard(http, 'Ours');
  const card = await post(http, `/v1/boards/${board}/cards`, { title: 'Ours', column_id: column });
  ours = { board, column, card: String(card['id']) };
  narrow = await http.token('narrow', { scopes: ['admin'], board_id: board });
  // The first use of a day is noted.
  await http.call({ path: '/v1/me' }, narrow);
  untouched = await stored(http);
});

const narrowed = async (method: string, path: string, body?: Json): Promise<TestAnswer> =>
  http.call({ method, path, ...(body === undefined ? {} : { body }) }, narrow);

/** Routes that name a board, or something on one. */
const NAMING = allRoutes.filter(({ path }) => path.includes('{'));

async function nothingChanged(): Promise<void> {
  const before = untouched;
  untouched = await stored(http);
  expect(untouched).toEqual(before);
}

describe('with a token of one board, of another', () => {
  test.each(NAMING.map(({ method, path }) => `${method} ${path}`))(
    '%s finds nothing and changes nothing',
    async (route) => {
      const answer = await http.call(requestOf(route, theirs, ours.card), narrow);

      expect([answer.status, answer.body['code']]).toEqual([404, 'not_found']);
      await nothingChanged();
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
    const { status } = await narrowed(...request());

    expect([403, 404, 422]).toContain(status);
    await nothingChanged();
  });

  test('is passed over among many, one by one', async () => {
    const lease = { lease_id: theirs['lease'], lease_token: theirs['lease_token'] };

    const renewed = await narrowed('POST', '/v1/leases:renew-batch', { leases: [lease] });
    const archived = await narrowed('POST', `${own()}/cards:bulk`, {
      ids: [theirs['card']],
      verb: 'archive',
    });

    expect(JSON.stringify([renewed.body, archived.body]).match(/"code":"not_found"/g)).toHaveLength(2);
    await nothingChanged();
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
const TOKEN = { name: 'x', scopes: ['admin'] };
const ROLE = { role_arn: 'arn:aws:iam::111122223333:role/Any', scopes: ['admin'] };
