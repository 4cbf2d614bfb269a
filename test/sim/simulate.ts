/**
 * One run, decided by its seed: a board, workers and people on it, weather; then calm, in which everything that is
 * offered must be worked off; and the recording of it all.
 */
import { createHash } from 'node:crypto';
import { LANES_INDEX } from '../../shared/store/table.ts';
import { resumeColumn } from '../../shared/verbs/resume-column.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { chanceOf } from './chance.ts';
import { configurationBy, withoutFaults, type Configuration } from './configuration.ts';
import type { Counters } from './counters.ts';
import { isOffered } from './offered.ts';
import { foundBoard } from './found-board.ts';
import { actAsPerson, makeCard } from './people.ts';
import type { Recording } from './recording.ts';
import { startWeather } from './weather.ts';
import { tryAsStranger } from './strangers.ts';
import { work, Worker } from './workers.ts';
import {
  ADMIN,
  createSimulatedWorld,
  newProcess,
  type Places,
  type SimulatedWorld,
  type WorldOptions,
} from './world.ts';

const MINUTE_MS = 60_000;
/** After faults have ended: what is on its way arrives, frozen instances wake, slow indexes show all. */
const SETTLE_MS = 75_000;
/** Then everything that is offered must be done within this, many times the longest backoff and lease. */
const DRAIN_MS = 4 * MINUTE_MS;
const DRAIN_PAUSE_MS = 500;

export interface Run {
  readonly seed: string;
  readonly recording: Recording;
  readonly counters: Counters;
  /** Calls of the API. */
  readonly operations: number;
  /** Calls to the table, and everything else that took its turn. */
  readonly steps: number;
  /** Of all changes of the table, with their times: equal in every run of the seed. */
  readonly hash: string;
}

export async function simulate(
  seed: string,
  options: { configuration?: Configuration; mutate?: WorldOptions['mutate'] } = {},
): Promise<Run> {
  const configuration =
    options.configuration ?? configurationBy(chanceOf(seededRandom(`${seed}/configuration`)));
  const world = createSimulatedWorld({
    seed,
    configuration,
    ...(options.mutate === undefined ? {} : { mutate: options.mutate }),
  });
  const drained = await tell(world, live);
  return {
    seed,
    recording: recordingOf(world, drained),
    counters: world.counters,
    operations: world.calls.length,
    steps: world.scheduler.steps,
    hash: hashOf(world.changes),
  };
}

/** Whatever runs otherwise is written at another time: what was written needs no look. */
const hashOf = (changes: SimulatedWorld['changes']): string =>
  createHash('sha256')
    .update(changes.map(({ at, key }) => `${at} ${key.pk} ${key.sk}`).join('\n'))
    .digest('hex');

/** Lets a story happen in the world's own time, and answers what it does. */
export async function tell<T>(
  world: SimulatedWorld,
  story: (world: SimulatedWorld) => Promise<T>,
): Promise<T> {
  const told: { answer?: T; failure?: unknown; over: boolean } = { over: false };
  story(world).then(
    (answer) => Object.assign(told, { answer, over: true }),
    (failure: unknown) => Object.assign(told, { failure, over: true }),
  );
  await world.scheduler.run(() => told.over);
  if (told.failure !== undefined) throw told.failure;
  return told.answer as T;
}

/** The whole story; true when what was offered at the end was worked off. */
async function live(world: SimulatedWorld): Promise<boolean> {
  const places = await foundBoard(world);
  const { planned, scheduler } = world;
  const director = newProcess('director');
  const maker = { name: 'maker', chance: chanceOf(seededRandom(`${world.seed}/maker`)) };
  for (let number = 0; number < planned.cards; number += 1) {
    await makeCard(world, places, director, { ...maker, number });
  }
  world.configuration = planned;
  for (let at = 0; at < planned.workers; at += 1) void work(world, places, `worker-${at}`);
  for (let at = 0; at < planned.people; at += 1) void actAsPerson(world, places, `person-${at}`);
  for (let at = 0; at < planned.strangers; at += 1) void tryAsStranger(world, places, `stranger-${at}`);
  startWeather(world, places);
  await scheduler.sleep(planned.minutes * MINUTE_MS, director);
  world.configuration = withoutFaults(planned);
  world.outageUntil = 0;
  world.spell.until = 0;
  world.calmAt = scheduler.now;
  await scheduler.sleep(SETTLE_MS, director);
  const drained = await drain(world, places);
  while (!world.stream.idle) await scheduler.sleep(DRAIN_PAUSE_MS, director);
  world.ended = true;
  return drained;
}

/** Workers that always complete, until nothing is offered any more. */
async function drain(world: SimulatedWorld, places: Places): Promise<boolean> {
  const { scheduler, planned } = world;
  const director = newProcess('drain');
  const { board } = places;
  for (const column of [places.ready, places.review]) {
    await world.callers.call(director, { actor: 'admin', verb: 'resume' }, (engine) =>
      resumeColumn(engine, ADMIN, { board, column }),
    );
  }
  const until = scheduler.now + DRAIN_MS;
  let over = false;
  const workers = Array.from({ length: Math.max(2, planned.workers) }, async (_, at) => {
    const worker = new Worker(world, places, `worker-${at}`);
    for (let turn = at; !over; turn += 1) {
      const [claim] = await worker.claimNext(turn % 2 === 0 ? places.ready : places.review);
      if (claim === undefined) await scheduler.sleep(DRAIN_PAUSE_MS * 2, director);
      else await worker.complete(claim);
    }
  });
  let quiet = false;
  while (!quiet && scheduler.now < until) {
    await scheduler.sleep(DRAIN_PAUSE_MS, director);
    quiet = ![...world.table.scan()].some((item) => isOffered(item, places));
  }
  over = true;
  await Promise.all(workers);
  return quiet;
}

function recordingOf(world: SimulatedWorld, drained: boolean): Recording {
  return {
    configuration: world.planned,
    calls: world.calls,
    changes: world.changes,
    delivered: world.stream.delivered,
    items: [...world.table.scan()],
    lanes: [...world.table.scanIndex(LANES_INDEX)],
    calmAt: world.calmAt,
    endedAt: world.scheduler.now,
    drained,
  };
}
