import { expect, test } from 'vitest';
import { listGoing } from '../../shared/going-away/register.ts';
import { tendGoing } from '../../shared/going-away/tend-going.ts';
import { GOING_SETTLE_MS } from '../../shared/policy.ts';
import { EVENT_PREFIX, feedHeadKey, feedPk } from '../../shared/store/keys.ts';
import { deleteBoard } from '../../shared/verbs/delete-board.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { makeDesk, made } from '../cards/support/cards.ts';
import { createWorld, type World } from '../support/world.ts';
import { follow, wholeFeed } from './support/follow.ts';

const REAPER_MS = 50_000;

async function eventsStored(world: World, subjects: readonly string[], boardId: string): Promise<number> {
  const ranges = subjects.map((value) => ({
    pk: { name: 'pk', value },
    sk: { name: 'sk', prefix: EVENT_PREFIX },
  }));
  const read = [...ranges, { pk: { name: 'pk', value: feedPk(boardId) } }].map(async (range) =>
    world.main.store.query({ ...range, consistent: true }),
  );
  return (await Promise.all(read)).reduce((sum, { items }) => sum + items.length, 0);
}

test('with a board that is deleted for good its events go, and no other board’s', async () => {
  const world = await createWorld({ stream: true });
  const [gone, kept] = [await makeDesk(world), await makeDesk(world)];
  const follower = await follow(world);
  const cards: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    cards.push((await made(world, gone)).id);
    await updateBoard(world.main, world.admin, { board: gone.board.id, name: `Name ${at}` });
    await follower.pump();
  }
  await made(world, kept);
  await follower.pump();
  const boardId = gone.board.id;
  expect(await eventsStored(world, [boardId, ...cards], boardId)).toBeGreaterThan(6);

  await deleteBoard(world.main, world.admin, { board: boardId });
  for (let minute = 0; minute < 4; minute += 1) {
    world.clock.advance(GOING_SETTLE_MS);
    await tendGoing(world.main, world.clock.now() + REAPER_MS);
  }
  expect(await eventsStored(world, [boardId, ...cards], boardId)).toBe(0);
  expect(await world.main.store.get(feedHeadKey(boardId))).toBeUndefined();
  expect(await listGoing(world.main)).toEqual([]);
  expect(await wholeFeed(world, kept.board.id)).toHaveLength(1);
});
