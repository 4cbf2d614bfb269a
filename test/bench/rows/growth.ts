/** What a claim costs as the column fills with cards that wait, or that it has nothing to do with. */
import type { Column } from '../../../shared/columns.ts';
import { MAX_PRIORITY } from '../../../shared/model/states.ts';
import { inLane } from '../../../shared/model/settle.ts';
import { JobSchema, type Job } from '../../../shared/store/items.ts';
import { cardItems, seedCards, storeItems } from '../../support/seed.ts';
import { mustClaim } from '../../support/worker.ts';
import type { World } from '../../support/world.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import type { Cost } from '../support/probe.ts';
import { createScene } from '../support/scene.ts';

const SIZES = [100, 1_000, 10_000];
/** Percent that the cost may depart by from that of the smallest column. */
const FLAT = 10;
const DAY_MS = 86_400_000;

type Make = (job: Job, now: number) => Job;

const waiting: Make = (job) => job;
/** What a claim has nothing to do with, made of a ready card; a column holds as many of each. */
const OTHERS: readonly Make[] = [
  (job) => inLane({ ...job, state: 'done' }),
  (job) => inLane({ ...job, state: 'dead' }),
  (job, now) => inLane({ ...job, state: 'waiting', waiting_on: 'backoff', not_before: now + DAY_MS }),
  (job, now) => inLane({ ...job, state: 'leased', run: 1, attempt: 1, expires_at: now + DAY_MS }),
];

export async function growthRows(bench: Bench): Promise<Figure[]> {
  return [
    flat('waiting', await costsOf(bench, [waiting])),
    flat('done, dead, backing-off and held', await costsOf(bench, OTHERS)),
  ];
}

function flat(kind: string, costs: readonly Cost[]): Figure {
  const units = costs.map(({ readUnits, writeUnits }) => readUnits + writeUnits);
  const what = `claim among 100, 1,000, 10,000 ${kind} cards: cost departs by, %`;
  return atMost(what, FLAT, departure(costs), `${units.join(', ')} units`);
}

async function costsOf(bench: Bench, kinds: readonly Make[]): Promise<Cost[]> {
  const scene = await createScene(bench);
  const { world, engine, column } = scene;
  const costs: Cost[] = [];
  let there = 0;
  for (const size of SIZES) {
    await storeItems(world, jobs(world, column, size - there, kinds));
    there = size;
    // Ahead of all the others, and the only one with a text to read.
    await seedCards(world, column, 1, () => ({ priority: MAX_PRIORITY }));
    costs.push(await scene.cost(() => mustClaim(engine, world.agent('ada'), scene)));
  }
  return costs;
}

function jobs(world: World, column: Column, count: number, kinds: readonly Make[]): Job[] {
  return Array.from({ length: count }, (_, at) => {
    world.clock.advance(1);
    const [job] = cardItems(world, column);
    const make = kinds[at % kinds.length] ?? waiting;
    return make(JobSchema.parse(job), world.clock.now());
  });
}

/** Largest departure from the first, in percent, of units read, units written and round trips. */
function departure(costs: readonly Cost[]): number {
  const [first] = costs;
  if (first === undefined) return 0;
  const measures = ['readUnits', 'writeUnits', 'rounds'] as const;
  const ratios = costs.flatMap((cost) => measures.map((name) => Math.abs(cost[name] / first[name] - 1)));
  return Math.max(...ratios) * 100;
}
