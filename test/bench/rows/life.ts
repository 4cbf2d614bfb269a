/** The units of one card from its creation to its completion. */
import { createCard } from '../../../shared/verbs/create-card.ts';
import { complete, mustClaim, renew } from '../../support/worker.ts';
import { atMost, reported, type Bench, type Figure } from '../support/figure.ts';
import { REFERENCE_CARD } from '../support/reference-card.ts';
import { createScene } from '../support/scene.ts';
import { OUTPUT } from './lease.ts';

/** Jobs, so that the mean holds the share of heartbeats that move the alarm. */
const JOBS = 9;
const HEARTBEATS = 4;
const SECOND_MS = 1_000;

/** A job of the least size: nothing but a title, an output of half a KB, and done before its first heartbeat. */
const SMALL = { card: { title: 'A small card' }, output: { text: 'x'.repeat(500) }, heartbeats: 0 } as const;
const REFERENCE = { card: REFERENCE_CARD, output: OUTPUT, heartbeats: HEARTBEATS } as const;

interface Spent {
  readonly writeUnits: number;
  readonly readUnits: number;
}

export async function lifeRows(bench: Bench): Promise<Figure[]> {
  const reference = await jobCost(bench, REFERENCE);
  const small = await jobCost(bench, SMALL);
  return [
    atMost('a whole job with 4 heartbeats, write units, mean', 32, reference.writeUnits),
    reported('a whole job with 4 heartbeats, read units, mean', reference.readUnits),
    reported('a small job without a heartbeat, write units, mean', small.writeUnits),
    reported('a small job without a heartbeat, read units, mean', small.readUnits),
  ];
}

/** What a job costs from its creation to its completion, the mean of several. */
async function jobCost(bench: Bench, kind: typeof SMALL | typeof REFERENCE): Promise<Spent> {
  const scene = await createScene(bench);
  const { world, engine, board, column } = scene;
  const sum = { writeUnits: 0, readUnits: 0 };
  const spent = async <T>(work: () => Promise<T>): Promise<T> => {
    const { value, ...cost } = await scene.cost(work);
    sum.writeUnits += cost.writeUnits;
    sum.readUnits += cost.readUnits;
    return value;
  };
  for (let job = 0; job < JOBS; job += 1) {
    await spent(() =>
      createCard(engine, world.admin, { board, column_id: column.column_id, ...kind.card }, null),
    );
    const held = await spent(() => mustClaim(engine, world.admin, scene));
    for (let beat = 0; beat < kind.heartbeats; beat += 1) {
      world.clock.advance(held.renew_after_seconds * SECOND_MS);
      await spent(() => renew(engine, world.admin, held));
    }
    await spent(() => complete(engine, world.admin, held, { output: kind.output }));
  }
  return { writeUnits: sum.writeUnits / JOBS, readUnits: sum.readUnits / JOBS };
}
