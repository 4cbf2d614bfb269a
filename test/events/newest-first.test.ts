import { expect, test } from 'vitest';
import { FeedWriter } from '../../shared/events/feed-pages.ts';
import { FEED_PAGES_PER_READ } from '../../shared/policy.ts';
import { ListCardEventsQuery, ListEventsQuery } from '../../shared/schemas/events.ts';
import { feedPageKey } from '../../shared/store/keys.ts';
import { listCardEvents } from '../../shared/verbs/list-card-events.ts';
import { listEvents } from '../../shared/verbs/list-events.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { refusal } from '../boards/support/board.ts';
import { makeDesk, made, type Desk } from '../cards/support/cards.ts';
import { createWorld, type World } from '../support/world.ts';
import { follow } from './support/follow.ts';

const CARD = 'crd_01KJPWD6M0ZYV5AF5JWWGCEMSY';

const list = async (world: World, desk: Desk, query: object = {}) =>
  listEvents(world.main, world.admin, {
    board: desk.board.id,
    ...ListEventsQuery.parse({ order: 'newest', ...query }),
  });

/** A board whose feed has pages of these sizes; the events count through from 1. */
async function fed(sizes: readonly number[], type: (at: number) => string = () => 'card.updated') {
  const world = await createWorld();
  const desk = await makeDesk(world);
  const writer = new FeedWriter(world.main.store, world.main.deps);
  let last = 0;
  for (const size of sizes) {
    const numbers = Array.from({ length: size }, (_, at) => last + at + 1);
    await writer.append(
      desk.board.id,
      numbers.map((at) => `${CARD} ${at} ${type(at)}`),
    );
    last += size;
  }
  return { world, desk, last, writer };
}

/** Sequences from the newest to the oldest, page by page, to where the cursor stays. */
async function readBack(world: World, desk: Desk, query: object = {}): Promise<number[][]> {
  const pages: number[][] = [];
  let { items, next_cursor } = await list(world, desk, query);
  for (let before = ''; next_cursor !== before;) {
    pages.push(items.map(({ sequence }) => sequence));
    before = next_cursor;
    ({ items, next_cursor } = await list(world, desk, { ...query, since: before }));
  }
  return pages;
}

test('the feed is read back from the newest event to the oldest, each once, whatever the pages hold', async () => {
  const { world, desk, last } = await fed([3, 1, 7, 2, 100, 1, 1]);

  for (const limit of [1, 4, 100]) {
    const pages = await readBack(world, desk, { limit });
    expect(pages.flat()).toEqual(Array.from({ length: last }, (_, at) => last - at));
    expect(pages.every((page) => page.length <= limit)).toBe(true);
  }
});

test('what happens meanwhile is in front of the reader, and changes nothing behind', async () => {
  const { world, desk, writer } = await fed([2, 2]);
  const first = await list(world, desk, { limit: 1 });
  await writer.append(desk.board.id, [`${CARD} 5 card.updated`]);
  const second = await list(world, desk, { limit: 10, since: first.next_cursor });

  expect([...first.items, ...second.items].map(({ sequence }) => sequence)).toEqual([4, 3, 2, 1]);
});

test('types are picked out, over more pages than one reading looks at', async () => {
  const sizes = Array.from({ length: FEED_PAGES_PER_READ + 12 }, () => 1);
  const { world, desk } = await fed(sizes, (at) => (at === 2 ? 'card.created' : 'card.updated'));

  const pages = await readBack(world, desk, { types: 'card.created' });

  expect(pages.flat()).toEqual([2]);
  expect(pages.length).toBeGreaterThan(1);
});

test('an empty feed ends at once, and so does one whose older pages have expired', async () => {
  const empty = await fed([]);
  expect(await readBack(empty.world, empty.desk)).toEqual([[]]);

  const { world, desk } = await fed([1, 1, 1]);
  const { next_cursor: since } = await list(world, desk, { limit: 2 });
  await world.main.store.write({ kind: 'delete', key: feedPageKey(desk.board.id, 1) });
  const page = await list(world, desk, { since });
  expect(page.items).toEqual([]);
  expect((await list(world, desk, { since: page.next_cursor })).next_cursor).toBe(page.next_cursor);
});

test('a cursor is good for the order that it came of', async () => {
  const { world, desk } = await fed([2]);
  const newest = await list(world, desk, { limit: 1 });
  const oldest = await list(world, desk, { limit: 1, order: 'oldest' });

  expect((await refusal(list(world, desk, { since: oldest.next_cursor }))).code).toBe('invalid_cursor');
  expect((await refusal(list(world, desk, { since: newest.next_cursor, order: 'oldest' }))).code).toBe(
    'invalid_cursor',
  );
});

test('nothing older is waited for', () => {
  expect(ListEventsQuery.safeParse({ order: 'newest', wait_seconds: 5 }).error?.issues).toMatchObject([
    { path: ['wait_seconds'] },
  ]);
  expect(ListEventsQuery.safeParse({ order: 'backwards' }).success).toBe(false);
});

test('a card’s history is read from its newest event back', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const card = await made(world, desk);
  for (const title of ['Second', 'Third', 'Fourth']) {
    await patchCard(world.main, world.admin, { card: card.id, title });
  }
  await follower.pump();
  const read = async (query: object) =>
    listCardEvents(world.main, world.admin, { card: card.id, ...ListCardEventsQuery.parse(query) });

  const first = await read({ order: 'newest', limit: 3 });
  const second = await read({ order: 'newest', limit: 3, cursor: first.next_cursor });
  const sequences = [...first.items, ...second.items].map(({ sequence }) => sequence);

  expect(sequences).toEqual([4, 3, 2, 1]);
  expect(second.next_cursor).toBeNull();
  expect((await refusal(read({ cursor: first.next_cursor }))).code).toBe('invalid_cursor');
});
