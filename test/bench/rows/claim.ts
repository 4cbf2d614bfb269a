/** Claim: round trips, write units and read units, one claimer. */
import { claimNext } from '../../../shared/verbs/claim-next.ts';
import { seedCards } from '../../support/seed.ts';
import { mustClaim } from '../../support/worker.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import type { Cost } from '../support/probe.ts';
import { createScene, type Scene } from '../support/scene.ts';
import { coldClaimRounds } from './cold-claim.ts';

/** More than the least window shows, so that the reading is as large as an uncontended one gets. */
const CARDS = 50;
const LIMIT = 20;
const NAMED = 'ada';
const HOUR_MS = 3_600_000;

export async function claimRows(bench: Bench): Promise<Figure[]> {
  const plain = await createScene(bench);
  await seedCards(plain.world, plain.column, CARDS);
  const warm = await claimOnce(plain, NAMED);
  const unnamed = await claimOnce(plain, null);
  const keyed = await claimWithKey(plain);
  const limited = await createScene(bench, { concurrency_limit: LIMIT });
  await seedCards(limited.world, limited.column, CARDS);
  const slot = await claimOnce(limited, NAMED);
  const both = await claimWithKey(limited);
  const superseding = await supersede(bench);
  return [
    atMost('claim, round trips: warm', 2, warm.rounds),
    atMost('claim, round trips: warm, with a key and a slot', 2, both.rounds),
    atMost('claim, round trips: cold instance, token and slug', 2, await coldClaimRounds(bench)),
    atMost('claim, round trips: superseding', 3, superseding.rounds),
    atMost('claim, write units: plain', 3, warm.writeUnits),
    atMost('claim, write units: with an Idempotency-Key', 6, keyed.writeUnits),
    atMost('claim, write units: with a slot', 6, slot.writeUnits),
    atMost('claim, write units: with both', 8, both.writeUnits),
    atMost('claim, write units: superseding', 6, superseding.writeUnits),
    atMost('claim, read units: no name', 4.5, unnamed.readUnits),
    atMost('claim, read units: named', 5, warm.readUnits),
  ];
}

function claimOnce(scene: Scene, name: string | null): Promise<Cost> {
  const { world, engine } = scene;
  const caller = name === null ? world.person('anonymous') : world.agent(name);
  return scene.cost(() => mustClaim(engine, caller, scene));
}

function claimWithKey(scene: Scene): Promise<Cost> {
  const { world, engine, board, column } = scene;
  const repeat = { key: 'bench', route: 'POST claim-next', fingerprint: 'bench' };
  const input = { board, column: column.column_id };
  return scene.cost(async () => {
    const { value } = await claimNext(engine, world.agent(NAMED), input, repeat);
    if (value.card === null) throw new Error('Nothing was offered');
  });
}

/** A lease that ran out an hour ago, met by another. */
async function supersede(bench: Bench): Promise<Cost> {
  const scene = await createScene(bench);
  await seedCards(scene.world, scene.column, 1);
  await claimOnce(scene, NAMED);
  scene.world.clock.advance(HOUR_MS);
  return claimOnce(scene, 'bob');
}
