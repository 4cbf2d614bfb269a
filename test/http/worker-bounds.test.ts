/**
 * What a worker may do to a card that it does not hold: every route that takes a worker's token and changes something is
 * walked, over a card that another works on and over one that nobody does.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { furnishedBoard, post, requestOf, stored, type Furnished } from './support/furnished-board.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';
import { shelf } from './support/shelf.ts';

let http: HttpWorld;
/** Everything that is stored, as it was after the test before. */
let untouched: readonly string[];
/** The card there is held by another. */
let held: Furnished;
/** One that nobody holds, and that is in no queue. */
let idle: string;
/** What the worker holds itself, and the token of that lease. */
let own: { readonly card: string; readonly lease_token: string };
let worker: string;

beforeAll(async () => {
  http = await createHttpWorld({ bucketOf: () => shelf(), maxWaitMs: 0 });
  held = await furnishedBoard(http, 'Theirs');
  const cards = `/v1/boards/${held.board}/cards`;
  idle = String((await post(http, cards, { title: 'Idle' }))['id']);
  const { id } = await post(http, cards, { title: 'Own', column_id: held.column });
  worker = await http.token('mallory', { scopes: ['worker'], agent: 'mallory' });
  const claim = await http.call({ method: 'POST', path: `/v1/cards/${String(id)}:claim` }, worker);
  own = { card: String(id), lease_token: String(claim.body['lease_token']) };
  untouched = await stored(http);
});

const CHANGING = allRoutes
  .filter(
    ({ method, path, scope }) => scope === 'worker' && method !== 'GET' && /\{(card|lease)\}/.test(path),
  )
  .map(({ method, path }) => `${method} ${path}`);

/** To say something about a card is no change of it. */
const OPEN = ['POST /v1/cards/{card}/comments'];
const BOUND = CHANGING.filter((route) => !OPEN.includes(route));

async function nothingChanged(): Promise<void> {
  const before = untouched;
  untouched = await stored(http);
  expect(untouched).toEqual(before);
}

describe('a worker without the lease of a card', () => {
  test.each(BOUND)('is refused by %s, though the card is another’s, and changes nothing', async (route) => {
    const { status } = await http.call(requestOf(route, held, own.card, own.lease_token), worker);

    expect([403, 409]).toContain(status);
    await nothingChanged();
  });

  test.each(BOUND.filter((route) => route.includes('{card}')))(
    'is refused by %s of a card that nobody holds',
    async (route) => {
      const { status } = await http.call(requestOf(route, { ...held, card: idle }, own.card), worker);

      expect([403, 409]).toContain(status);
      await nothingChanged();
    },
  );
});
