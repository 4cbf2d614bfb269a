/**
 * Many claimers on one column in the simulator's own time: exact, the same in every run of a seed, and under a lag of
 * the index, which the emulator does not have. Each call takes 1 to 8 ms there and back.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Engine } from '../../../shared/engine.ts';
import { expression } from '../../../shared/store/conditions.ts';
import { laneOf } from '../../../shared/store/keys.ts';
import { LANES_INDEX } from '../../../shared/store/table.ts';
import { claimNext } from '../../../shared/verbs/claim-next.ts';
import { createCard } from '../../../shared/verbs/create-card.ts';
import { chanceOf } from '../../sim/chance.ts';
import { configurationBy, withoutFaults } from '../../sim/configuration.ts';
import { foundBoard } from '../../sim/found-board.ts';
import { tell } from '../../sim/simulate.ts';
import {
  agent,
  createSimulatedWorld,
  newProcess,
  person,
  type Places,
  type SimulatedWorld,
} from '../../sim/world.ts';

export interface Crowd {
  readonly claimers: number;
  readonly cards: number;
  /** Mean lag of the index in ms. */
  readonly lagMs: number;
  /** Of the column; default one. */
  readonly shards?: number;
  /** How long a claimer works on a card before it claims the next. */
  readonly workMs?: number;
  /** Default: the product's. Else a claimer that reads so many entries and tries one of them at random. */
  readonly window?: number;
  /** Give up after so many ms: a claimer that is too slow is known to be by then. */
  readonly limitMs?: number;
}

export interface CrowdResult {
  readonly claims: number;
  readonly claimsPerSecond: number;
  /** Writes that a condition refused, per claim. */
  readonly lostPerClaim: number;
}

const LEASE_SECONDS = 3_600;
const SECOND_MS = 1_000;
const PAUSE_MS = 5;
const WORK_SPREAD = 0.2;
const MAKERS = 16;

export async function simulateCrowd(crowd: Crowd): Promise<CrowdResult> {
  const plain = withoutFaults(configurationBy(chanceOf(() => 0)));
  const configuration = {
    ...plain,
    instances: 1,
    ready: { enabled: true, lease_ttl_seconds: LEASE_SECONDS, shards: crowd.shards ?? 1 },
    reaper: 'off' as const,
  };
  let lost = 0;
  const world = createSimulatedWorld({
    seed: 'bench',
    configuration,
    mutate: (serve) => (command) => {
      try {
        return serve(command);
      } catch (error) {
        if (command instanceof UpdateCommand) lost += 1;
        throw error;
      }
    },
  });
  return tell(world, async () => {
    const places = await foundBoard(world);
    await makeCards(world, places, crowd.cards);
    world.configuration = { ...configuration, lag: { mean: crowd.lagMs, spike: 0 } };
    lost = 0;
    const startedAt = world.scheduler.now;
    const claims = await claimAll(world, places, crowd);
    const seconds = (world.scheduler.now - startedAt) / SECOND_MS;
    return { claims, claimsPerSecond: claims / seconds, lostPerClaim: lost / claims };
  });
}

async function makeCards(world: SimulatedWorld, places: Places, count: number): Promise<void> {
  const { engine } = world.instances.any();
  let left = count;
  const make = async () => {
    for (; left > 0;) {
      left -= 1;
      const body = { board: places.board, column_id: places.ready, title: 'A card' };
      await createCard(engine, person('maker'), body, null);
    }
  };
  await Promise.all(Array.from({ length: MAKERS }, make));
}

/** Answers how many were claimed: all, unless the limit came first. */
async function claimAll(world: SimulatedWorld, places: Places, crowd: Crowd): Promise<number> {
  const until = world.scheduler.now + (crowd.limitMs ?? Number.MAX_SAFE_INTEGER);
  let claimed = 0;
  const claimer = async (_: unknown, at: number) => {
    const { engine } = world.instances.start(`claimer ${at}`);
    const process = newProcess(`claimer ${at}`);
    const { workMs = 0 } = crowd;
    // A fleet that has been at work for a while does not move in step.
    await world.scheduler.sleep(engine.deps.random() * workMs, process);
    while (claimed < crowd.cards && world.scheduler.now < until) {
      const won =
        crowd.window === undefined
          ? await claimOurs(engine, places, at)
          : await claimFixed(engine, places, { window: crowd.window, shards: crowd.shards ?? 1 });
      if (won) claimed += 1;
      const spread = 1 + WORK_SPREAD * (2 * engine.deps.random() - 1);
      await world.scheduler.sleep(won ? workMs * spread : PAUSE_MS, process);
    }
  };
  await Promise.all(Array.from({ length: crowd.claimers }, claimer));
  return claimed;
}

async function claimOurs(engine: Engine, places: Places, at: number): Promise<boolean> {
  const input = { board: places.board, column: places.ready };
  const { value } = await claimNext(engine, agent(`claimer-${at}`), input, null);
  return value.card !== null;
}

/** Reads the head of a lane and tries one of `window` entries; with 1 the head, as textbooks do. */
async function claimFixed(
  engine: Engine,
  places: Places,
  { window, shards }: { readonly window: number; readonly shards: number },
): Promise<boolean> {
  const shard = shards === 1 ? 0 : Math.floor(engine.deps.random() * shards);
  const lane = laneOf(places.ready, 'R', shard);
  const { items } = await engine.store.query({
    index: LANES_INDEX,
    pk: { name: 'lane', value: lane },
    limit: window,
  });
  const chosen = items[Math.floor(engine.deps.random() * items.length)];
  if (chosen === undefined) return false;
  const written = await engine.store.write({
    kind: 'update',
    key: { pk: String(chosen['pk']), sk: 'JOB' },
    set: {
      lane: laneOf(places.ready, 'T', shard),
      pos: `9999999999999#h#${String(chosen['pos'])}`,
      state: 'leased',
    },
    remove: [],
    condition: expression('#lane = :c_lane', { lane }),
  });
  return written.ok;
}
