/** The write units of one card from its creation to its completion. */
import { createCard } from '../../../shared/verbs/create-card.ts';
import { complete, mustClaim, renew } from '../../support/worker.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import { REFERENCE_CARD } from '../support/reference-card.ts';
import { createScene } from '../support/scene.ts';
import { OUTPUT } from './lease.ts';

/** Jobs, so that the mean holds the share of heartbeats that move the alarm. */
const JOBS = 9;
const HEARTBEATS = 4;
const SECOND_MS = 1_000;

export async function lifeRows(bench: Bench): Promise<Figure[]> {
  const scene = await createScene(bench);
  const { world, engine, board, column } = scene;
  let writeUnits = 0;
  const spent = async <T>(work: () => Promise<T>): Promise<T> => {
    const { value, ...cost } = await scene.cost(work);
    writeUnits += cost.writeUnits;
    return value;
  };
  for (let job = 0; job < JOBS; job += 1) {
    await spent(() =>
      createCard(engine, world.admin, { board, column_id: column.column_id, ...REFERENCE_CARD }, null),
    );
    const held = await spent(() => mustClaim(engine, world.admin, scene));
    for (let beat = 0; beat < HEARTBEATS; beat += 1) {
      world.clock.advance(held.renew_after_seconds * SECOND_MS);
      await spent(() => renew(engine, world.admin, held));
    }
    await spent(() => complete(engine, world.admin, held, { output: OUTPUT }));
  }
  return [atMost('a whole job with 4 heartbeats, write units, mean', 32, writeUnits / JOBS)];
}
