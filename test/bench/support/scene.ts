/** A world on a table of its own with one queue and an engine under measurement: what most rows start from. */
import type { ContractSettings } from '../../../shared/contract/settings.ts';
import { boardFor, columnsOf } from '../../../shared/columns.ts';
import type { Engine } from '../../../shared/engine.ts';
import { createQueue, type TestQueue } from '../../support/queue.ts';
import { createWorld, type World } from '../../support/world.ts';
import type { Bench } from './figure.ts';
import { createProbe, type Probe } from './probe.ts';

export interface Scene extends TestQueue {
  readonly world: World;
  readonly engine: Engine;
  /** Costs of a warm instance: board and contracts are remembered when the work begins. */
  readonly cost: Probe['cost'];
}

/** Where the chance of every scene starts, so that a run repeats the one before. */
const SEED = 1;

export async function createScene(bench: Bench, contract: Partial<ContractSettings> = {}): Promise<Scene> {
  const world = await createWorld({ table: await bench.newTable(), seed: SEED });
  const { engine, cost } = createProbe(world);
  const queue = await createQueue(world, contract);
  return {
    world,
    engine,
    ...queue,
    cost: async (work) => {
      await columnsOf(engine, await boardFor(engine, world.admin, queue.board));
      return cost(work);
    },
  };
}
