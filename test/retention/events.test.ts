import { expect, it } from 'vitest';
import { DAY_MS } from '../../shared/units.ts';
import { eventKey, feedPageKey } from '../../shared/store/keys.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { listCardEvents } from '../../shared/verbs/list-card-events.ts';
import { listEvents } from '../../shared/verbs/list-events.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { made, makeDesk } from '../cards/support/cards.ts';
import { follow, typesOf, wholeFeed } from '../events/support/follow.ts';
import { complete, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld({ stream: true });
const { main, admin, clock } = world;
const ada = world.agent('ada');

it('a board that keeps events for a week loses the older ones from log and feed, and its readers are told', async () => {
  const [desk, other] = [await makeDesk(world), await makeDesk(world)];
  const follower = await follow(world);
  const old = await made(world, desk);
  await made(world, other);
  await follower.pump();
  const since = (await listEvents(main, admin, { board: desk.board.id, limit: 1, wait_seconds: 0 }))
    .next_cursor;
  await complete(main, ada, await mustClaim(main, ada, desk.queue));
  await follower.pump();
  clock.advance(8 * DAY_MS);
  const young = await made(world, desk);
  await follower.pump();
  const before = await wholeFeed(world, desk.board.id);
  expect(typesOf(before).filter((type) => type.startsWith('card.'))).toEqual([
    'card.created',
    'card.lease.claimed',
    'card.lease.completed',
    'card.created',
  ]);

  await updateBoard(main, admin, { board: desk.board.id, event_retention_days: 7 });
  const { removed } = await reap(world.engine(), clock.now() + 50_000);

  expect(removed.events).toBe(before.length - 1);
  expect(removed).toMatchObject({ runs: 0, cards: 0 });
  const left = await wholeFeed(world, desk.board.id);
  expect(left.map(({ card_id, type }) => [card_id, type])).toEqual([[young.id, 'card.created']]);
  expect((await listCardEvents(main, admin, { card: old.id, limit: 10 })).items).toEqual([]);
  expect((await wholeFeed(world, other.board.id)).length).toBeGreaterThan(0);
  const late = await listEvents(main, admin, { board: desk.board.id, limit: 10, wait_seconds: 0, since });
  expect(late).toMatchObject({ expired: true, items: [{ card_id: young.id }] });
  expect(await getBoard(main, admin, { board: desk.board.id })).toMatchObject({
    counts: { ready: 1, done: 1 },
  });
  // New events still come behind every cursor.
  await made(world, desk);
  await follower.pump();
  expect((await wholeFeed(world, desk.board.id)).length).toBeGreaterThan(left.length);
});

it.each([
  [null, 30],
  [7, 7],
  [365, 365],
])('a board that says %s keeps a new event and its page for %d days', async (event_retention_days, days) => {
  const desk = await makeDesk(world);
  await updateBoard(main, admin, { board: desk.board.id, event_retention_days });
  const follower = await follow(world);
  const card = await made(world, desk);
  await follower.pump();
  const until = Math.ceil((clock.now() + days * DAY_MS) / 1_000);
  const row = await main.store.get(eventKey(card.id, 1));
  const page = await main.store.get(feedPageKey(desk.board.id, 1));
  for (const item of [row, page]) expect(Math.abs(Number(item?.['ttl']) - until)).toBeLessThan(60);
});
