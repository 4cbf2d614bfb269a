import { expect, test, vi } from 'vitest';
import { makeCursor } from '../../shared/cursor.ts';
import type { EventEnvelope } from '../../shared/events/envelope.ts';
import { FeedWriter } from '../../shared/events/feed-pages.ts';
import { makeFeedCursor, OLDEST, readFeed, recentPosition } from '../../shared/events/read-feed.ts';
import { FEED_NUMBER_LOT, FEED_OVERLAP_MS, FEED_PAGES_PER_READ } from '../../shared/policy.ts';
import { ListEventsQuery } from '../../shared/schemas/events.ts';
import { feedPageKey } from '../../shared/store/keys.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { listCardEvents } from '../../shared/verbs/list-card-events.ts';
import { listEvents } from '../../shared/verbs/list-events.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { refusal } from '../boards/support/board.ts';
import { makeDesk, made, type Desk } from '../cards/support/cards.ts';
import { complete, mustClaim } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';
import { follow, typesOf, wholeFeed } from './support/follow.ts';

/** Two stories write and read by the dozen at once, on a database that other test files use too. */
vi.setConfig({ testTimeout: 120_000 });

const all = () => true;
const list = async (world: World, desk: Desk, query: object = {}) =>
  listEvents(world.main, world.admin, { board: desk.board.id, ...ListEventsQuery.parse(query) });

const entry = (at: number): string => `crd_01KJPWD6M0ZYV5AF5JWWGCEMSY ${at} card.updated`;
const boardId = 'brd_01KJPWD6M0ZYV5AF5JWWGCEMSY';

test('pages appended by many at once have no gap and lose nothing', async () => {
  const world = await createWorld({ stream: true, sleep: 'real' });
  const writers = Array.from({ length: 8 }, () => new FeedWriter(world.engine().store, world.main.deps));
  const perWriter = 20;
  await Promise.all(
    writers.map(async (writer, number) => {
      for (let at = 0; at < perWriter; at += 1)
        await writer.append(boardId, [entry(number * perWriter + at + 1)]);
    }),
  );

  const total = writers.length * perWriter;
  expect(total).toBeGreaterThan(2 * FEED_NUMBER_LOT);
  const sequences: number[] = [];
  let position = OLDEST;
  for (let found = 1; found > 0;) {
    const reading = await readFeed(world.main.store, boardId, position, 100, all);
    sequences.push(...reading.entries.map(({ sequence }) => sequence));
    position = reading.next;
    found = reading.entries.length;
  }
  expect(position).toEqual([total + 1, 0]);
  expect(new Set(sequences).size).toBe(total);
  expect(sequences).toHaveLength(total);
});

test('a reader that follows while many write sees every event, once and in each card’s order', async () => {
  const world = await createWorld({ stream: true, sleep: 'real' });
  const desk = await makeDesk(world);
  const shards = await Promise.all([1, 2, 3].map(async () => follow(world, { engine: world.engine() })));
  const cards = await Promise.all(Array.from({ length: 10 }, async () => made(world, desk)));
  const edits = 5;
  const writing = Promise.all(
    cards.map(async ({ id: card }, number) => {
      const engine = world.engine();
      for (let at = 0; at < edits; at += 1)
        await patchCard(engine, world.admin, { card, title: `Card ${number}, edit ${at}` });
    }),
  );

  // Each fan-out takes a part of the cards, as shards do, and they run side by side.
  let written = false;
  const pumping = Promise.all(
    shards.map(async (shard, own) => {
      for (let last = false; !last;) {
        last = written;
        const records = await shard.records();
        const mine = records.filter((record) => shardOf(record, shards.length) === own);
        for (const record of mine) await shard.fanOut([record]);
      }
    }),
  );
  const seen: EventEnvelope[] = [];
  let pumped = false;
  const reading = (async () => {
    let since: string | undefined;
    for (let last = false; !last;) {
      const done = pumped;
      const page = await list(world, desk, { since, limit: 7, wait_seconds: 20 });
      seen.push(...page.items);
      since = page.next_cursor;
      expect(page.expired).toBe(false);
      last = done && page.items.length === 0;
    }
  })();
  await writing;
  written = true;
  await pumping;
  pumped = true;
  await reading;

  const expected = cards.length * (edits + 1);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(expected);
  expect(seen).toHaveLength(expected);
  const perCard = Map.groupBy(seen, ({ card_id }) => card_id);
  expect(perCard.size).toBe(cards.length);
  for (const events of perCard.values())
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: edits + 1 }, (_, at) => at + 1),
    );
});

function shardOf(record: unknown, shards: number): number {
  const { dynamodb } = record as { dynamodb: { Keys: { pk: { S: string } } } };
  return (dynamodb.Keys.pk.S.codePointAt(29) ?? 0) % shards;
}

test('a cursor goes on in the middle of a page', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  for (let at = 0; at < 7; at += 1) await made(world, desk, { title: `Card ${at}` });
  await follower.pump();

  const first = await list(world, desk, { limit: 3 });
  const second = await list(world, desk, { limit: 3, since: first.next_cursor });
  const third = await list(world, desk, { limit: 3, since: second.next_cursor });
  const end = await list(world, desk, { limit: 3, since: third.next_cursor });
  const titles = [first, second, third].flatMap(({ items }) => items.map(({ data }) => data.card?.title));
  expect(titles).toEqual(Array.from({ length: 7 }, (_, at) => `Card ${at}`));
  expect(end).toEqual({ items: [], next_cursor: third.next_cursor, expired: false });
});

test('a type filter leaves out what is not asked for, and its cursor passes it by', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  await made(world, desk);
  const worker = world.agent('worker-1');
  await complete(world.main, worker, await mustClaim(world.main, worker, desk.queue));
  await follower.pump();

  const types = 'card.lease.completed,card.created';
  const first = await list(world, desk, { types, limit: 1 });
  const second = await list(world, desk, { types, limit: 1, since: first.next_cursor });
  expect(typesOf([...first.items, ...second.items])).toEqual(['card.created', 'card.lease.completed']);
});

test('a type that does not exist is refused by name', () => {
  const parsed = ListEventsQuery.safeParse({ types: 'card.created,card.exploded' });
  expect(parsed.error?.issues).toMatchObject([{ path: ['types', 1] }]);
});

/** Reads with a wait, in whose pauses these things happen, one in each. */
async function waitFor(world: World, desk: Desk, query: object, happenings: (() => Promise<unknown>)[]) {
  const { deps } = world.main;
  const left = [...happenings];
  const sleep = async (ms: number) => {
    await left.shift()?.();
    await deps.sleep(ms);
  };
  const input = { board: desk.board.id, ...ListEventsQuery.parse({ wait_seconds: 20, ...query }) };
  return listEvents({ ...world.main, deps: { ...deps, sleep } }, world.admin, input);
}

test('a reader that waits is answered as soon as there is an event', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const startedAt = world.clock.now();
  const happening = async () => {
    await made(world, desk);
    await follower.pump();
  };
  const page = await waitFor(world, desk, {}, [happening]);

  expect(typesOf(page.items)).toEqual(['card.created']);
  expect(world.clock.now() - startedAt).toBeLessThan(20_000);
});

test('a reader that waits for some types passes by the others, and is answered by the first it wants', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const { next_cursor: since } = await list(world, desk);
  const created = async () => {
    await made(world, desk, { title: 'First' });
    await follower.pump();
  };
  const updated = async () => {
    const { id: card } = await made(world, desk);
    await patchCard(world.main, world.admin, { card, title: 'Another' });
    await follower.pump();
  };
  const page = await waitFor(world, desk, { types: 'card.updated', since }, [created, updated]);

  expect(typesOf(page.items)).toEqual(['card.updated']);
  expect((await list(world, desk, { since: page.next_cursor })).items).toEqual([]);
});

test('a wait for types that do not come ends behind the events that did', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const { next_cursor: since } = await list(world, desk);
  await made(world, desk);
  await follower.pump();
  const page = await list(world, desk, { wait_seconds: 5, types: 'card.archived', since });

  expect(page.items).toEqual([]);
  expect(page.next_cursor).not.toBe(since);
  expect((await list(world, desk, { since: page.next_cursor })).items).toEqual([]);
});

test('a wait ends empty, with the cursor it began with', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const startedAt = world.clock.now();
  const page = await list(world, desk, { wait_seconds: 5, since: makeFeedCursor(desk.board.id, [3, 2]) });

  expect(page).toEqual({
    items: [],
    next_cursor: makeFeedCursor(desk.board.id, [3, 2]),
    expired: false,
  });
  expect(world.clock.now() - startedAt).toBe(5_000);
});

test('the cursor of another board is none of this one’s', async () => {
  const world = await createWorld({ stream: true });
  const [mine, theirs] = [await makeDesk(world), await makeDesk(world)];
  const { next_cursor: since } = await list(world, theirs);

  expect(await refusal(list(world, mine, { since }))).toMatchObject({ code: 'invalid_cursor' });
  expect(await refusal(list(world, mine, { since: 'made-up' }))).toMatchObject({ code: 'invalid_cursor' });
});

test('a made-up place in the feed shows nothing that is not the board’s, and breaks nothing', async () => {
  const world = await createWorld({ stream: true });
  const [mine, theirs] = [await makeDesk(world), await makeDesk(world)];
  const follower = await follow(world);
  for (const desk of [mine, theirs]) await made(world, desk);
  await follower.pump();
  const places = [
    [0, 9_999],
    [1, 9_999],
    [Number.MAX_SAFE_INTEGER, 0],
    [Number.MAX_SAFE_INTEGER, 5],
  ] as const;
  for (const place of places) {
    const page = await list(world, mine, { since: makeFeedCursor(mine.board.id, place) });
    expect(page.items.filter((event) => event.board_id !== mine.board.id)).toEqual([]);
    expect(page.next_cursor).toEqual(expect.any(String));
  }
  const forged = [[-1, 0], [1, -1], [1.5, 0], ['1', 0], [1], [1, 0, 0], {}, null, [Number.MAX_VALUE, 0]];
  for (const place of forged) {
    const since = makeCursor(`events ${mine.board.id}`, place);
    expect(await refusal(list(world, mine, { since })), since).toMatchObject({ code: 'invalid_cursor' });
  }
});

test('the token of another board learns nothing of the feed', async () => {
  const world = await createWorld({ stream: true });
  const [mine, theirs] = [await makeDesk(world), await makeDesk(world)];
  const stranger = world.person('stranger', { boardId: theirs.board.id });
  const card = await made(world, mine);

  const feed = listEvents(world.main, stranger, { board: mine.board.id, limit: 10, wait_seconds: 0 });
  expect(await refusal(feed)).toMatchObject({ code: 'not_found' });
  const history = listCardEvents(world.main, stranger, { card: card.id, limit: 10 });
  expect(await refusal(history)).toMatchObject({ code: 'not_found' });
});

test('a reader that comes back after its events expired is told so, once (hermes #118147, #81537)', async () => {
  const world = await createWorld({ stream: true });
  const { store, deps } = world.main;
  const desk = await makeDesk(world);
  const writer = new FeedWriter(store, deps);
  for (let at = 1; at <= 5; at += 1) await writer.append(desk.board.id, [entry(at)]);
  const { next_cursor: since } = await list(world, desk, { limit: 1 });
  for (const number of [1, 2, 3])
    await store.write({ kind: 'delete', key: feedPageKey(desk.board.id, number) });

  const late = await list(world, desk, { since });
  expect(late.items.map(({ sequence }) => sequence)).toEqual([4, 5]);
  expect(late.expired).toBe(true);
  const next = await list(world, desk, { since: late.next_cursor });
  expect(next.expired).toBe(false);
  expect((await list(world, desk)).expired).toBe(false);
});

test('when every page has expired, new ones still come behind every cursor', async () => {
  const world = await createWorld({ stream: true });
  const { store, deps } = world.main;
  const before = new FeedWriter(store, deps);
  const pages = FEED_NUMBER_LOT + 3;
  for (let at = 1; at <= pages; at += 1) await before.append(boardId, [entry(at)]);
  let end = OLDEST;
  for (let found = 1; found > 0;) {
    const reading = await readFeed(store, boardId, end, 100, all);
    end = reading.next;
    found = reading.entries.length;
  }
  for (let at = 1; at <= pages; at += 1) await store.write({ kind: 'delete', key: feedPageKey(boardId, at) });

  await Promise.all(
    [1, 2, 3].map(async (at) => new FeedWriter(store, deps).append(boardId, [entry(1_000 + at)])),
  );
  const after = await readFeed(store, boardId, end, 100, all);
  expect(new Set(after.entries.map(({ sequence }) => sequence))).toEqual(new Set([1_001, 1_002, 1_003]));
});

test('a long stretch without a wanted event is read in bounded steps, and its end is reached', async () => {
  const world = await createWorld({ stream: true });
  const { store, deps } = world.main;
  const writer = new FeedWriter(store, deps);
  const pages = FEED_PAGES_PER_READ + 5;
  for (let at = 1; at <= pages; at += 1) await writer.append(boardId, [entry(at)]);

  const wants = ({ sequence }: { sequence: number }) => sequence === pages;
  const first = await readFeed(store, boardId, OLDEST, 10, wants);
  expect(first).toMatchObject({ entries: [], next: [FEED_PAGES_PER_READ + 1, 0] });
  const second = await readFeed(store, boardId, first.next, 10, wants);
  expect(second.entries.map(({ sequence }) => sequence)).toEqual([pages]);
});

test('a board’s cursor lies half a minute back, so that nothing falls between the board and its events', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const fed = async (title: string) => {
    await made(world, desk, { title });
    await follower.pump();
  };
  const since = async (): Promise<string> =>
    (await getBoard(world.main, world.admin, { board: desk.board.id })).events_cursor;
  for (let at = 0; at < 8; at += 1) await fed('long ago');
  world.clock.advance(FEED_OVERLAP_MS);
  expect((await list(world, desk, { since: await since() })).items).toEqual([]);
  for (const title of ['just now', 'a moment ago']) {
    await fed(title);
    world.clock.advance(1_000);
  }

  const page = await list(world, desk, { since: await since() });
  const titles = page.items.map(({ data }) => data.card?.title);
  expect(titles.slice(-2)).toEqual(['just now', 'a moment ago']);
  expect(titles.length).toBeLessThanOrEqual(4);
  expect(page.expired).toBe(false);
});

test('the cursor of a busy board is found in few steps, and never too late', async () => {
  const world = await createWorld({ stream: true });
  const { store, deps } = world.main;
  const writer = new FeedWriter(store, deps);
  for (let at = 1; at <= 100; at += 1) {
    world.clock.advance(1_000);
    await writer.append(boardId, [entry(at)]);
  }
  world.meter.reset();
  const [page] = await recentPosition(store, boardId, world.clock.now());

  // Pages 71 to 100 are younger than half a minute.
  expect(page).toBeLessThanOrEqual(71);
  expect(page).toBeGreaterThan(71 - 2 * 30);
  expect(world.meter.of('get').calls).toBeLessThanOrEqual(6);
});

test('a new board’s cursor and that of one without events begin at the oldest', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const { events_cursor } = await getBoard(world.main, world.admin, { board: desk.board.id });

  expect(desk.board.events_cursor).toBe(makeFeedCursor(desk.board.id, OLDEST));
  expect(events_cursor).toBe(makeFeedCursor(desk.board.id, OLDEST));
});

test('the events of a card come oldest first, page by page', async () => {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world);
  const follower = await follow(world);
  const card = await made(world, desk);
  for (const title of ['One', 'Two', 'Three'])
    await patchCard(world.main, world.admin, { card: card.id, title });
  await follower.pump();

  const first = await listCardEvents(world.main, world.admin, { card: card.id, limit: 3 });
  const cursor = first.next_cursor ?? '';
  const second = await listCardEvents(world.main, world.admin, { card: card.id, limit: 3, cursor });
  expect([...first.items, ...second.items].map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  expect(second.next_cursor).toBeNull();
  expect(await wholeFeed(world, desk.board.id)).toEqual([...first.items, ...second.items]);
});
