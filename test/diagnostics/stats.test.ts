import { expect, it } from 'vitest';
import { getStats } from '../../shared/verbs/get-stats.ts';
import { made, makeDesk } from '../cards/support/cards.ts';
import { complete, fail, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { main, admin, clock } = world;
const ada = world.agent('ada');
const MINUTE_MS = 60_000;

it('the statistics of an empty board are noughts', async () => {
  const desk = await makeDesk(world);
  expect(await getStats(main, admin, { board: desk.board.id })).toMatchObject({
    counts: { ready: 0, done: 0 },
    capped: false,
    assignees: [],
    oldest_ready_at: null,
    oldest_ready_seconds: null,
    done_last_hour: 0,
    done_last_day: 0,
    dead: 0,
    stuck: 0,
  });
});

it('count by state, column and assignee, what waits longest, what was done lately, what is dead and what is stuck', async () => {
  const desk = await makeDesk(world, { max_attempts: 1 });
  const finish = async () => complete(main, ada, await mustClaim(main, ada, desk.queue));
  await made(world, desk);
  await finish();
  clock.advance(2 * 60 * MINUTE_MS);
  await made(world, desk);
  await finish();
  await made(world, desk);
  await fail(main, ada, await mustClaim(main, ada, desk.queue), { reason: 'broken' });
  await made(world, desk);
  await mustClaim(main, ada, desk.queue);
  const oldest = await made(world, desk, { assignee: 'bob' });
  clock.advance(10 * MINUTE_MS);
  await made(world, desk, { priority: 9 });
  await made(world, desk, { column_id: desk.todo, assignee: 'bob' });

  const stats = await getStats(main, admin, { board: desk.board.id });
  expect(stats).toMatchObject({
    counts: { ready: 2, leased: 1, idle: 1, done: 2, dead: 1 },
    assignees: [
      { assignee: null, counts: { ready: 1, leased: 1, dead: 1 } },
      { assignee: 'bob', counts: { ready: 1, idle: 1 } },
    ],
    oldest_ready_at: oldest.created_at,
    done_last_hour: 1,
    done_last_day: 2,
    dead: 1,
    // Its lease ended eight minutes ago, and nobody came.
    stuck: 1,
  });
  expect(stats.oldest_ready_seconds).toBe(600);
  const columns = Object.fromEntries(stats.columns.map(({ name, counts }) => [name, counts]));
  expect(columns).toMatchObject({
    Ready: { ready: 2, leased: 1, dead: 1 },
    'To do': { idle: 1 },
    Done: { done: 2 },
  });
});
