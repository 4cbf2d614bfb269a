/** What the stream does for cards that wait: nobody claims, and the reaper is off. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../shared/engine.ts';
import { wakeStep } from '../../shared/links/wake-step.ts';
import { documentClient } from '../../shared/store/client.ts';
import { Store } from '../../shared/store/store.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { inWidth } from '../../shared/width.ts';
import { RoundTrips } from '../bench/support/round-trips.ts';
import { jobOf, look, made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { follow, type Follower } from '../events/support/follow.ts';
import { complete, mustClaim } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';
import { dyingEngine } from './support/dying.ts';
import { childOf, finish } from './support/links.ts';

const FAN = 500;
/** A second and a half at 10 ms each: what is left of five seconds is the stream’s. Today there are 100. */
const ROUNDS_MOST = 150;
const WIDTH = 16;
const LONG_MS = 240_000;

let world: World;
let follower: Follower;

const trips = new RoundTrips();

beforeAll(async () => {
  world = await createWorld({ sleep: 'real', stream: true });
  follower = await follow(world, { step: wakeStep(counted(world.engine())) });
});

/** An instance whose round trips are counted, which a slow machine does not change. */
function counted(engine: Engine): Engine {
  const client = documentClient(world.table.clientOptions);
  client.middlewareStack.add((next) => async (args) => trips.within(async () => next(args)), {
    step: 'initialize',
    name: 'count',
  });
  return { ...engine, store: new Store({ tableName: world.table.tableName, client, deps: engine.deps }) };
}

const ada = () => world.agent('ada');
const ready = async (desk: Desk): Promise<number> => {
  const { items } = await world.main.store.query({
    index: 'lanes',
    pk: { name: 'lane', value: `${desk.ready.slice(4)}#00#R` },
    limit: 1_000,
  });
  return items.length;
};
const timersOf = async (card: { id: string }): Promise<unknown[]> => {
  const { items } = await world.main.store.query({
    pk: { name: 'pk', value: card.id },
    sk: { name: 'sk', prefix: 'TIMER#' },
    consistent: true,
  });
  return items;
};
const fan = async (desk: Desk, parent: { id: string }, count: number) =>
  inWidth(WIDTH, Array.from({ length: count }), async () => childOf(world, desk, [parent]));

describe('the stream', () => {
  it(
    'makes five hundred children ready well within five seconds of their parent’s completion, with one event each',
    async () => {
      const desk = await makeDesk(world);
      const parent = await made(world, desk, { priority: 9 });
      const children = await fan(desk, parent, FAN);
      await follower.pump();
      const held = await mustClaim(world.main, ada(), desk.queue);
      trips.reset();
      await complete(world.main, ada(), held);
      expect(await ready(desk)).toBe(25);
      await follower.pump();
      expect(await ready(desk)).toBe(FAN);
      expect(trips.rounds).toBeGreaterThan(0);
      expect(trips.rounds).toBeLessThan(ROUNDS_MOST);
      expect(await timersOf(parent)).toEqual([]);
      await follower.pump();
      for (const child of children) {
        expect(await jobOf(world, child)).toMatchObject({ sequence: 2, ev: [{ type: 'card.ready' }] });
      }
    },
    LONG_MS,
  );

  it(
    'takes all the children of a parent that opens again out of the ready ones',
    async () => {
      const desk = await makeDesk(world);
      const parent = await made(world, desk);
      await finish(world, desk, parent);
      await fan(desk, parent, 60);
      await follower.pump();
      expect(await ready(desk)).toBe(60);
      await reopenCard(world.main, world.admin, { card: parent.id, column_id: desk.todo });
      expect(await ready(desk)).toBe(35);
      await follower.pump();
      expect(await ready(desk)).toBe(0);
      expect(await timersOf(parent)).toEqual([]);
    },
    LONG_MS,
  );

  it('looks again at a card whose maker died before it looked whether the parents were done meanwhile', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await world.main.store.write({
      kind: 'update',
      key: { pk: parent.id, sk: 'JOB' },
      set: { state: 'done' },
      remove: [],
    });
    expect(await look(world, child)).toMatchObject({ state: 'waiting', waiting_on: 'parents' });
    await follower.pump();
    expect(await look(world, child)).toMatchObject({ state: 'ready' });
  });

  it('wakes the children of a completion whose instance died right after its write', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await complete(dyingEngine(world, 1), ada(), await mustClaim(world.main, ada(), desk.queue)).catch(
      () => undefined,
    );
    expect(await look(world, child)).toMatchObject({ state: 'waiting' });
    await follower.pump();
    expect(await look(world, child)).toMatchObject({ state: 'ready' });
    expect(await timersOf(parent)).toEqual([]);
  });
});
