import { expect, it } from 'vitest';
import { findColumn } from '../../shared/columns.ts';
import { readJob } from '../../shared/jobs.ts';
import { settle } from '../../shared/model/settle.ts';
import { ColumnSchema } from '../../shared/store/items.ts';
import { columnKey, jobKey, laneOf, shardIn, shardOf } from '../../shared/store/keys.ts';
import { LANES_INDEX } from '../../shared/store/table.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { listRuns } from '../../shared/verbs/list-runs.ts';
import { made, makeDesk, setContract, type Desk } from '../cards/support/cards.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, mustClaim, renew, whyNothing } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';

const world = await createWorld();
const { main } = world;
const ada = world.agent('ada');
const FOR_EVER = Number.MAX_SAFE_INTEGER;

async function laneCounts(of: World, columnId: string, kind: 'R' | 'T'): Promise<number[]> {
  return Promise.all(
    [0, 1, 2, 3].map(async (shard) => {
      const pk = { name: 'lane', value: laneOf(columnId, kind, shard) };
      return (await of.main.store.query({ index: LANES_INDEX, pk })).items.length;
    }),
  );
}

const columnItem = async (of: World, { ready }: Desk) =>
  ColumnSchema.parse(await of.main.store.get(columnKey(ready)));

/** Cards as a writer that knows the present contract leaves them. */
async function makeCards(of: World, desk: Desk, count: number): Promise<string[]> {
  const column = await findColumn(of.main, desk.ready);
  if (column === undefined) throw new Error('The column is gone');
  return seedCards(of, column, count);
}

it('cards that stood there before are offered from the PUT on, and again when the shards are given up', async () => {
  const desk = await makeDesk(world);
  const before = await makeCards(world, desk, 6);
  await setContract(world, desk.board, { shards: 4 });
  const after = await makeCards(world, desk, 6);
  expect((await laneCounts(world, desk.ready, 'R'))[0]).toBeGreaterThanOrEqual(6);
  const first = await mustClaim(world.engine(), ada, desk.queue);
  expect([...before, ...after]).toContain(first.card.id);
  await setContract(world, desk.board, {});
  const given = [first.card.id];
  for (let at = 0; at < 11; at += 1) given.push((await mustClaim(main, ada, desk.queue)).card.id);
  expect(given.toSorted()).toEqual([...before, ...after].toSorted());
  expect(await whyNothing(main, ada, desk.queue)).toMatchObject({ reason: 'all_held' });
});

it('the reaper moves ready, waiting and held cards, and then claims read the new lanes alone', async () => {
  const desk = await makeDesk(world);
  const ids = await makeCards(world, desk, 12);
  const held = await mustClaim(main, ada, desk.queue, { lease_ttl_seconds: 120 });
  await setContract(world, desk.board, { shards: 4 });
  expect((await reap(main, FOR_EVER)).resharded).toBeGreaterThan(0);
  for (const id of ids) {
    const job = await readJob(main, id);
    expect([id, shardIn(job?.lane)]).toEqual([id, shardOf(id, 4)]);
  }
  // Nothing that a lease or an event is made of has changed.
  expect(await readJob(main, held.card.id)).toMatchObject({ state: 'leased', run: 1, sequence: 2 });
  await renew(main, ada, held);
  expect((await columnItem(world, desk)).reshard_at).toBeDefined();
  world.clock.advance(61_000);
  expect((await reap(main, FOR_EVER)).resharded).toBe(0);
  expect((await columnItem(world, desk)).reshard_at).toBeUndefined();
  expect((await findColumn(main, desk.ready))?.shardsRead).toBe(4);
  await renew(main, ada, held);
  await complete(main, ada, held);

  await setContract(world, desk.board, {});
  expect((await findColumn(main, desk.ready))?.shardsRead).toBe(4);
  await reap(main, FOR_EVER);
  world.clock.advance(61_000);
  await reap(main, FOR_EVER);
  expect((await findColumn(main, desk.ready))?.shardsRead).toBe(1);
  expect(await laneCounts(world, desk.ready, 'R')).toEqual([11, 0, 0, 0]);
  for (let at = 0; at < 11; at += 1) await mustClaim(world.engine(), ada, desk.queue);
  expect(await claimFrom(main, ada, desk.queue)).toBeNull();
});

it('they are not given up while a card stands in them, nor before every contract of before is forgotten', async () => {
  const desk = await makeDesk(world, { shards: 4 });
  await makeCards(world, desk, 8);
  await setContract(world, desk.board, {});
  await reap(main, FOR_EVER);
  await reap(main, FOR_EVER);
  expect((await columnItem(world, desk)).reshard_at).toBeDefined();
  // Another instance, which has the contract of before in mind still, puts a card where that had it.
  const late = (await makeCards(world, desk, 8)).find((id) => shardOf(id, 4) !== 0) ?? '';
  const job = await readJob(main, late);
  if (job === undefined) throw new Error('The card is gone');
  await main.store.write({
    kind: 'update',
    key: jobKey(late),
    set: { lane: laneOf(desk.ready, 'R', shardOf(late, 4)) },
    remove: [],
  });
  world.clock.advance(61_000);
  expect((await reap(main, FOR_EVER)).resharded).toBe(1);
  expect((await columnItem(world, desk)).reshard_at).toBeDefined();
  await reap(main, FOR_EVER);
  expect((await columnItem(world, desk)).reshard_at).toBeUndefined();
});

it('a card that lands in a lane given up long ago is back within a minute', async () => {
  const desk = await makeDesk(world, { shards: 4 });
  await setContract(world, desk.board, {});
  world.clock.advance(61_000);
  await reap(main, FOR_EVER);
  const column = await findColumn(main, desk.ready);
  expect(column?.shardsRead).toBe(1);
  const id = (await makeCards(world, desk, 12)).find((each) => shardOf(each, 4) === 3) ?? '';
  const job = await readJob(main, id);
  if (job === undefined || column === undefined) throw new Error('The card is gone');
  const slept = settle(job, { ...column, shards: 4 }, world.clock.now());
  await main.store.write({ kind: 'update', key: jobKey(id), set: { lane: slept.lane }, remove: [] });
  for (let at = 0; at < 11; at += 1) await mustClaim(main, ada, desk.queue);
  expect(await claimFrom(main, ada, desk.queue)).toBeNull();
  expect((await reap(main, FOR_EVER)).resharded).toBe(1);
  expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(id);
});

it('a claim that waits hears of a pause, and of shards that came meanwhile', async () => {
  const own = await createWorld({ sleep: 'real' });
  const desk = await makeDesk(own);
  const waiting = claimFrom(own.engine(), own.agent('ada'), desk.queue, { wait_seconds: 20 });
  await setContract(own, desk.board, { shards: 4 });
  own.clock.advance(2_000);
  const [id = ''] = (await makeCards(own, desk, 1)) ?? [];
  expect((await waiting)?.card.id).toBe(id);

  const idle = whyNothing(own.engine(), own.agent('ada'), desk.queue, { wait_seconds: 20 });
  await pauseColumn(own.main, own.admin, { board: desk.board.id, column: desk.ready });
  own.clock.advance(2_000);
  await made(own, desk);
  expect(await idle).toMatchObject({ reason: 'paused' });
});

it('one, four, one: with workers at work all along every card is worked on once, and none is lost', async () => {
  const own = await createWorld({ sleep: 'real' });
  const desk = await makeDesk(own, { shards: 1 });
  const ids = await makeCards(own, desk, 40);
  const done: string[] = [];
  let over = false;
  const work = async (at: number) => {
    const engine = own.engine();
    const agent = own.agent(`w${at}`);
    while (!over) {
      const held = await claimFrom(engine, agent, desk.queue);
      if (held === null) {
        await engine.deps.sleep(20);
        continue;
      }
      await renew(engine, agent, held);
      await complete(engine, agent, held);
      done.push(held.card.id);
    }
  };
  const direct = async () => {
    const reaper = own.engine();
    for (const shards of [4, 1]) {
      const seen = done.length;
      while (done.length < Math.min(ids.length, seen + 8)) await own.main.deps.sleep(10);
      await setContract(own, desk.board, { shards, on_success_column_id: desk.done });
      await reap(reaper, FOR_EVER);
      ids.push(...(await makeCards(own, desk, 15)));
      await reap(reaper, FOR_EVER);
    }
    while (done.length < ids.length) {
      await reap(reaper, FOR_EVER);
      await own.main.deps.sleep(50);
    }
    over = true;
  };
  await Promise.all([direct(), ...Array.from({ length: 6 }, async (_, at) => work(at))]);
  expect(done.toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    const { items } = await listRuns(own.main, own.admin, { card: id, limit: 10 });
    expect(items.map(({ outcome }) => outcome)).toEqual(['completed']);
  }
  own.clock.advance(61_000);
  await reap(own.main, FOR_EVER);
  expect(await columnItem(own, desk)).not.toHaveProperty('reshard_at');
}, 240_000);
