/** Renew, complete, fail, release and expire: what a lease costs after the claim. */
import { endExpired } from '../../../shared/claim/expire.ts';
import { readJob } from '../../../shared/jobs.ts';
import { seedCards } from '../../support/seed.ts';
import { complete, fail, mustClaim, release, renew } from '../../support/worker.ts';
import type { ClaimView } from '../../../shared/views/claim.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import type { Cost } from '../support/probe.ts';
import { createScene, type Scene } from '../support/scene.ts';

const CARDS = 20;
/** Enough heartbeats for the mean to settle: the alarm moves every 1.8 of them. */
const HEARTBEATS = 90;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** One kilobyte of output as its JSON text. */
export const OUTPUT = 'x'.repeat(1_022);

export async function leaseRows(bench: Bench): Promise<Figure[]> {
  const scene = await createScene(bench);
  await seedCards(scene.world, scene.column, CARDS);
  const beats = await heartbeats(scene);
  const plain = await closing(scene, (held) =>
    complete(scene.engine, scene.world.admin, held, { output: OUTPUT }),
  );
  const patched = await closing(scene, (held) =>
    complete(scene.engine, scene.world.admin, held, {
      output: OUTPUT,
      properties: { result: 'x'.repeat(60) },
    }),
  );
  const failed = await closing(scene, (held) => fail(scene.engine, scene.world.admin, held));
  const released = await closing(scene, (held) => release(scene.engine, scene.world.admin, held));
  const expired = await expire(scene);
  return [
    atMost('renew, round trips', 1, beats.rounds),
    atMost('renew, write units: mean, heartbeating at ttl/3', 2.2, beats.writeUnits),
    atMost('complete, round trips', 2, plain.rounds),
    atMost('complete, write units: 1 KB output', 8, plain.writeUnits),
    atMost('complete, write units: and a properties patch', 10, patched.writeUnits),
    atMost('fail, round trips', 2, failed.rounds),
    atMost('fail, write units', 6, failed.writeUnits),
    atMost('release, round trips', 2, released.rounds),
    atMost('release, write units', 6, released.writeUnits),
    atMost('expire, round trips', 2, expired.rounds),
    atMost('expire, write units', 6, expired.writeUnits),
  ];
}

/** One worker that beats when its answers tell it to: the most round trips of a beat, and the mean of its units. */
async function heartbeats(scene: Scene): Promise<{ rounds: number; writeUnits: number }> {
  const { world, engine } = scene;
  const held = await mustClaim(engine, world.admin, scene);
  let rounds = 0;
  let writeUnits = 0;
  let pause = held.renew_after_seconds;
  for (let beat = 0; beat < HEARTBEATS; beat += 1) {
    world.clock.advance(pause * SECOND_MS);
    const { value, ...cost } = await scene.cost(() => renew(engine, world.admin, held));
    rounds = Math.max(rounds, cost.rounds);
    writeUnits += cost.writeUnits;
    pause = value.renew_after_seconds;
  }
  return { rounds, writeUnits: writeUnits / HEARTBEATS };
}

/** The cost of a verb that ends a lease just taken. */
async function closing(scene: Scene, end: (held: ClaimView) => Promise<unknown>): Promise<Cost> {
  const held = await mustClaim(scene.engine, scene.world.admin, scene);
  return scene.cost(() => end(held));
}

/** A lease that ran out, ended as the reaper and the claim that meets it do. */
async function expire(scene: Scene): Promise<Cost> {
  const { world, engine, column } = scene;
  const held = await mustClaim(engine, world.admin, scene);
  world.clock.advance(HOUR_MS);
  return scene.cost(async () => {
    const job = await readJob(engine, held.card.id);
    if (job === undefined || !(await endExpired(engine, job, column)))
      throw new Error('The lease did not end');
  });
}
