/** What happens to an installation by itself: kills, freezes, outages, the reaper's schedule, changes by an admin. */
import { REAPER_BUDGET_MS } from '../../shared/policy.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { redriveColumn } from '../../shared/verbs/redrive-column.ts';
import { resumeColumn } from '../../shared/verbs/resume-column.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { chanceOf, type Chance } from './chance.ts';
import { INPUT_SCHEMAS, SHARDS } from './configuration.ts';
import { contractOf } from './found-board.ts';
import { ADMIN, newProcess, type Places, type SimulatedWorld } from './world.ts';

const FREEZE_MS = 60_000;
const OUTAGE_MS = 15_000;
const SPELL_MS = 10_000;
const JUMP_EVERY_MS = 10_000;
const ADMIN_EVERY_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** TTL comes up to two days late: of what has expired, in a pass of it, so much goes. */
const TTL_EVERY_MS = 5_000;
const TTL_SHARE = 0.2;

const spread = (chance: Chance, mean: number): number => -Math.log(1 - chance.unit()) * mean;

export function startWeather(world: SimulatedWorld, places: Places): void {
  const {
    killEveryMs,
    freezeEveryMs,
    outageEveryMs,
    spellEveryMs,
    skewMs,
    nightHours,
    reaper,
    admin,
    reshardEveryMs,
  } = world.planned;
  const chance = chanceOf(seededRandom(`${world.seed}/weather`));
  if (killEveryMs > 0) {
    void every(world, chance, killEveryMs, async () => {
      world.counters.add('instance killed');
      world.instances.killAny();
    });
  }
  if (freezeEveryMs > 0) {
    void every(world, chance, freezeEveryMs, async () => {
      world.counters.add('instance frozen');
      world.instances.freezeAny(chance.unit() * FREEZE_MS);
    });
  }
  if (outageEveryMs > 0) {
    void every(world, chance, outageEveryMs, async () => {
      world.counters.add('outage');
      world.outageUntil = world.scheduler.now + chance.unit() * OUTAGE_MS;
    });
  }
  if (spellEveryMs > 0) {
    void every(world, chance, spellEveryMs, async () => {
      const of = chance.one(['table', 'lanes', 'by_board'] as const);
      world.spell = { of, until: world.scheduler.now + chance.unit() * SPELL_MS };
    });
  }
  if (skewMs > 0) {
    void every(world, chance, JUMP_EVERY_MS, async () => {
      world.counters.add(`clock put ${world.instances.jumpAny()}`);
    });
  }
  if (nightHours > 0) void fallAsleep(world, chance, nightHours * HOUR_MS);
  if (admin) void every(world, chance, ADMIN_EVERY_MS, async () => administer(world, places, chance));
  if (reshardEveryMs > 0)
    void every(world, chance, reshardEveryMs, async () => reshard(world, places, chance));
  if (reaper === 'twice') world.counters.add('reaper twice');
  for (let at = 0; at < { off: 0, on: 1, twice: 2 }[reaper]; at += 1) void reapForEver(world, chance);
}

async function every(
  world: SimulatedWorld,
  chance: Chance,
  mean: number,
  act: () => Promise<void>,
): Promise<void> {
  const process = newProcess('weather');
  for (;;) {
    await world.scheduler.sleep(spread(chance, mean), process);
    if (world.calmAt > 0) return;
    await act();
  }
}

/**
 * A night, in which nothing moves: who was at work is there again, keys of requests have run out, and what expired
 * lies about in the table until TTL comes by.
 */
async function fallAsleep(world: SimulatedWorld, chance: Chance, ms: number): Promise<void> {
  const night = newProcess('night');
  await world.scheduler.sleep(chance.unit() * world.planned.minutes * MINUTE_MS, night);
  if (world.calmAt > 0) return;
  world.counters.add('night');
  world.scheduler.skip(ms);
  while (!world.ended) {
    sweep(world, chance);
    await world.scheduler.sleep(TTL_EVERY_MS, night);
  }
}

function sweep(world: SimulatedWorld, chance: Chance): void {
  const expired = [...world.table.scan()].filter(
    ({ ttl }) => typeof ttl === 'number' && ttl * 1_000 <= world.scheduler.now,
  );
  for (const { pk, sk } of expired) {
    const goes = chance.with(TTL_SHARE);
    world.counters.add(goes ? 'expired item removed' : 'expired item left lying');
    if (goes) world.table.put({ pk: String(pk), sk: String(sk) }, undefined);
  }
}

/** The reaper, while the run lasts: late, now and then skipped, and killed like any function. */
async function reapForEver(world: SimulatedWorld, chance: Chance): Promise<void> {
  const schedule = newProcess('schedule');
  while (!world.ended) {
    // The scheduler of AWS is precise to a minute: late by up to all of its interval.
    const { reaperEveryMs } = world.planned;
    const stretch = world.calmAt > 0 ? 1 : 0.5 + chance.unit();
    if (stretch > 1) world.counters.add('reaper late');
    await world.scheduler.sleep(reaperEveryMs * stretch, schedule);
    if (chance.yes(6) && world.calmAt === 0) {
      world.counters.add('reaper skipped');
      continue;
    }
    const instance = world.instances.start('reaper');
    if (world.planned.killEveryMs > 0 && world.calmAt === 0 && chance.yes(4)) {
      world.counters.add('reaper killed');
      world.scheduler.after(chance.unit() * 500, null, () => (instance.process.alive = false));
      world.scheduler.after(500, null, () => undefined);
    }
    world.scheduler.after(0, instance.process, () => {
      const call = { actor: 'reaper', verb: 'reap', invoked: world.scheduler.now };
      world.calls.push(call);
      reap(instance.engine, instance.engine.deps.now() + REAPER_BUDGET_MS).then(
        () => Object.assign(call, { answered: world.scheduler.now, outcome: 'ok' }),
        (error: unknown) =>
          Object.assign(call, { answered: world.scheduler.now, outcome: 'failed', code: faultsOf(error) }),
      );
    });
  }
}

/** The reaper throws all that it met at once; of passing faults the message says so. */
function faultsOf(error: unknown): string {
  const faults: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return faults
    .map((fault) => (fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault)))
    .join('; ');
}

/** Only the shards: the planned contract else, so that the cards stay what they are. */
async function reshard(world: SimulatedWorld, places: Places, chance: Chance): Promise<void> {
  const { board } = places;
  const stage = chance.one(['ready', 'review'] as const);
  const contract = { ...contractOf(world.planned[stage], places), shards: chance.one(SHARDS) };
  await world.callers.call(newProcess('admin'), { actor: 'admin', verb: 'put-contract' }, (engine) =>
    putContract(engine, ADMIN, { board, column: places[stage], contract }),
  );
}

async function administer(world: SimulatedWorld, places: Places, chance: Chance): Promise<void> {
  const process = newProcess('admin');
  const { board } = places;
  const stage = chance.one(['ready', 'review'] as const);
  const column = places[stage];
  const ask = async (verb: string, run: Parameters<typeof world.callers.call>[2]) =>
    world.callers.call(process, { actor: 'admin', verb }, run);
  const contract = {
    ...contractOf(world.planned[stage], places),
    concurrency_limit: chance.one([null, 1, 2, 4]),
    max_per_assignee: chance.one([null, null, 1, 2]),
    input_schema: chance.one(INPUT_SCHEMAS),
    shards: chance.one(SHARDS),
  };
  const act = chance.one<() => Promise<unknown>>([
    () => ask('put-contract', (engine) => putContract(engine, ADMIN, { board, column, contract })),
    () => ask('put-contract', (engine) => putContract(engine, ADMIN, { board, column, contract })),
    () => ask('pause', (engine) => pauseColumn(engine, ADMIN, { board, column })),
    () => ask('resume', (engine) => resumeColumn(engine, ADMIN, { board, column })),
    () => ask('resume', (engine) => resumeColumn(engine, ADMIN, { board, column })),
    () => ask('redrive-column', (engine) => redriveColumn(engine, ADMIN, { board, column })),
    () =>
      ask('update-board', (engine) =>
        updateBoard(engine, ADMIN, { board, max_in_progress: chance.one([null, null, 2, 5]) }),
      ),
  ]);
  await act();
}
