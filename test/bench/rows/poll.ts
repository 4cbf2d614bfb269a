/** Polls that are given nothing. */
import { seedCards } from '../../support/seed.ts';
import { complete, mustClaim, whyNothing } from '../../support/worker.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import type { Cost } from '../support/probe.ts';
import { createScene, type Scene } from '../support/scene.ts';

const LIMIT = 20;
/** Cards that wait behind the limit. */
const WAITING = 50;

export async function pollRows(bench: Bench): Promise<Figure[]> {
  const drained = await drainedScene(bench);
  const full = await fullScene(bench);
  const unnamed = await poll(drained, null, 'empty');
  const named = await poll(drained, 'ada', 'empty');
  const atLimit = await poll(full, null, 'concurrency_limit');
  return [
    atMost('drained-queue poll, read units: no name', 1.5, unnamed.readUnits),
    atMost('drained-queue poll, read units: named', 2, named.readUnits),
    atMost('poll at the limit of 20, read units', 4, atLimit.readUnits),
  ];
}

/** A queue whose cards are all done, in place: they stay in its parked lane. */
async function drainedScene(bench: Bench): Promise<Scene> {
  const scene = await createScene(bench, { on_success_column_id: null });
  const { world, engine } = scene;
  await seedCards(world, scene.column, LIMIT);
  for (let card = 0; card < LIMIT; card += 1) {
    await complete(engine, world.admin, await mustClaim(engine, world.admin, scene));
  }
  return scene;
}

async function fullScene(bench: Bench): Promise<Scene> {
  const scene = await createScene(bench, { concurrency_limit: LIMIT });
  await seedCards(scene.world, scene.column, LIMIT + WAITING);
  for (let lease = 0; lease < LIMIT; lease += 1) await mustClaim(scene.engine, scene.world.admin, scene);
  return scene;
}

async function poll(scene: Scene, name: string | null, reason: string): Promise<Cost> {
  const { world, engine } = scene;
  const caller = name === null ? world.person('anonymous') : world.agent(name);
  const { value, ...cost } = await scene.cost(() => whyNothing(engine, caller, scene));
  if (value.reason !== reason) throw new Error(`The poll was answered '${value.reason}', not '${reason}'`);
  return cost;
}
