/** A fleet at work when the table is out of reach for three leases: what becomes of what it holds, and of the load. */
import type { Caller, Engine } from '../../../shared/engine.ts';
import { claimNext } from '../../../shared/verbs/claim-next.ts';
import { createCard } from '../../../shared/verbs/create-card.ts';
import { reap } from '../../../shared/verbs/reap.ts';
import { renewLease } from '../../../shared/verbs/renew-lease.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import type { Heard } from '../caller.ts';
import { jobChanges } from '../checker/job-log.ts';
import { chanceOf, type Chance } from '../chance.ts';
import { configurationBy, withoutFaults } from '../configuration.ts';
import { foundBoard } from '../found-board.ts';
import { tell } from '../simulate.ts';
import {
  agent,
  createSimulatedWorld,
  newProcess,
  person,
  type Places,
  type SimulatedWorld,
} from '../world.ts';

const TTL_MS = 30_000;
const OUTAGE_TTLS = 3;
const BEATS = 3;
const SECOND_MS = 1_000;
const INSTANCES = 20;
const REAPER_MS = 60_000;

export interface AfterOutage {
  /** Held cards that another got, or that were put back. */
  readonly lost: number;
  /** Calls of the API per lease's time: before; the most of any after it; and two leases after it. */
  readonly normal: number;
  readonly peak: number;
  readonly settled: number;
  /** Cards of workers that died meanwhile, and how many of them were offered again by the end. */
  readonly dead: number;
  readonly offeredAgain: number;
}

export interface Fleet {
  readonly holders: number;
  readonly claimers: number;
  /** Of the holders, that die in the outage. */
  readonly dying: number;
}

interface Claim {
  readonly lease_id: string;
  readonly lease_token: string;
}

export async function outage(fleet: Fleet): Promise<AfterOutage> {
  const calm = withoutFaults(configurationBy(chanceOf(() => 0)));
  const ready = { enabled: true, lease_ttl_seconds: TTL_MS / SECOND_MS, max_attempts: 20 };
  const configuration = { ...calm, instances: INSTANCES, ready };
  const world = createSimulatedWorld({ seed: 'outage', configuration });
  return tell(world, async () => {
    const { scheduler } = world;
    const places = await foundBoard(world);
    const { engine } = world.instances.any();
    for (let number = 0; number < fleet.holders; number += 1) {
      const body = { board: places.board, column_id: places.ready, title: `Card ${number}` };
      await createCard(engine, person('ann'), body, null);
    }
    const started = scheduler.now;
    for (let at = 0; at < fleet.holders + fleet.claimers; at += 1) {
      const dies = at < fleet.dying;
      void workOn(
        world,
        places,
        `worker-${at}`,
        () => !dies || scheduler.now < world.outageUntil || world.outageUntil === 0,
      );
    }
    void reapOnAndOn(world);
    await scheduler.sleep(3 * TTL_MS, null);
    const before = rate(world, started + TTL_MS, started + 3 * TTL_MS);
    const agents = [...world.table.scan()].flatMap(({ state, agent: name }) =>
      state === 'leased' ? [name] : [],
    );
    if (agents.length < fleet.holders) throw new Error(`Only ${agents.length} cards are held`);
    const began = scheduler.now;
    world.outageUntil = began + OUTAGE_TTLS * TTL_MS;
    const over = world.outageUntil;
    await scheduler.sleep((OUTAGE_TTLS + 6) * TTL_MS, null);
    const taken = jobChanges({ changes: world.changes.filter(({ at }) => at > began) }).filter(
      ({ after, before: was }) =>
        was?.state === 'leased' && (after?.op === 'supersede' || after?.op === 'expire'),
    );
    const dead = new Set([...Array(fleet.dying).keys()].map((at) => `worker-${at}`));
    const offeredAgain = taken.filter(({ before: was }) => dead.has(was?.agent ?? '')).length;
    const windows = [0, 1, 2, 3].map((ttls) => rate(world, over + ttls * TTL_MS, over + (ttls + 1) * TTL_MS));
    return {
      lost: taken.length - offeredAgain,
      normal: before,
      peak: Math.max(...windows),
      settled: windows.at(2) ?? 0,
      dead: agents.filter((name) => dead.has(String(name))).length,
      offeredAgain,
    };
  });
}

/** Calls in a stretch of time, per lease's time. */
const rate = ({ calls }: SimulatedWorld, from: number, to: number): number =>
  (calls.filter(({ invoked }) => invoked >= from && invoked < to).length * TTL_MS) / (to - from);

async function reapOnAndOn(world: SimulatedWorld): Promise<void> {
  const instance = world.instances.start('reaper');
  for (;;) {
    await world.scheduler.sleep(REAPER_MS, instance.process);
    await reap(instance.engine, Number.MAX_SAFE_INTEGER).catch(() => undefined);
  }
}

/** A heartbeat for what is held, or a claim: what it got, or in how many seconds to ask again. */
async function ask(
  engine: Engine,
  caller: Caller,
  queue: { board: string; column: string },
  claim: Claim | null,
): Promise<Claim | number> {
  if (claim === null) {
    const { value } = await claimNext(engine, caller, queue, null);
    return value.card === null ? value.retry_after_seconds : value;
  }
  await renewLease(engine, caller, { lease: claim.lease_id, lease_token: claim.lease_token });
  return claim;
}

/** Claims, and beats for what it has, as long as it lives; comes again after a failure as the client does. */
async function workOn(
  world: SimulatedWorld,
  { board, ready: column }: Places,
  name: string,
  lives: () => boolean,
): Promise<void> {
  const process = newProcess(name);
  const chance = chanceOf(seededRandom(`outage/${name}`));
  let claim: Claim | null = null;
  let failures = 0;
  while (lives()) {
    const heard: Heard<Claim | number> = await world.callers.call(
      process,
      { actor: name, verb: claim === null ? 'claim-next' : 'renew' },
      async (engine) => ask(engine, agent(name), { board, column }, claim),
    );
    failures = heard.kind === 'ok' ? 0 : failures + 1;
    if (heard.kind === 'refused' && heard.code === 'lease_lost') claim = null;
    if (heard.kind === 'ok') claim = typeof heard.value === 'number' ? null : heard.value;
    const pause =
      heard.kind === 'ok' && typeof heard.value === 'number'
        ? heard.value * SECOND_MS
        : heard.kind === 'ok'
          ? TTL_MS / BEATS
          : again(failures, chance);
    await world.scheduler.sleep(pause, process);
  }
}

const again = (failures: number, chance: Chance): number =>
  Math.min(TTL_MS / BEATS, SECOND_MS * 2 ** failures) * (0.5 + chance.unit() / 2);
