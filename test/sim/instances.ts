/**
 * The functions' instances: each an engine with memory, clock and chance of its own on the one table. They are killed
 * at any await, frozen, and replaced by cold ones.
 */
import { NO_BUCKET } from '../../shared/attachments/bucket.ts';
import { Cache } from '../../shared/cache.ts';
import { ClaimMemory } from '../../shared/claim/memory.ts';
import type { Deps } from '../../shared/deps.ts';
import type { Engine } from '../../shared/engine.ts';
import { parseLeaseKeys } from '../../shared/lease-keys.ts';
import { CONTRACT_CACHE_MS } from '../../shared/policy.ts';
import { Store } from '../../shared/store/store.ts';
import { NO_WEBHOOKS } from '../../shared/webhooks/outlet.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { Chance } from './chance.ts';
import type { Network } from './network.ts';
import { Process, type Scheduler } from './scheduler.ts';
import { clientOf } from './table/memory-client.ts';

const TABLE_NAME = 'simulated';
const MAX_WAIT_MS = 20_000;
const LEASE_KEYS = parseLeaseKeys(
  JSON.stringify({ current: 'k1', k1: 'a key for simulations, of 32 characters and more' }),
);

export interface Instance {
  readonly process: Process;
  /** Sets its clock: by so many ms it is ahead. */
  readonly setClock: (aheadMs: number) => void;
  readonly engine: Engine;
  /** Calls that end without an answer when it is killed. */
  readonly onKill: Set<() => void>;
}

export interface InstanceParts {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly seed: string;
  readonly chance: Chance;
  /** Largest error of a clock, in ms. */
  readonly skewMs: number;
}

export class Instances {
  readonly #parts: InstanceParts;
  readonly #running: Instance[] = [];
  #started = 0;

  constructor(parts: InstanceParts, count: number) {
    this.#parts = parts;
    for (let at = 0; at < count; at += 1) this.#running.push(this.start('function'));
  }

  /** Any one of those that run. */
  any(): Instance {
    return this.#parts.chance.one(this.#running);
  }

  /** Kills one at random; a cold one takes its place. */
  killAny(): void {
    const at = this.#parts.chance.below(this.#running.length);
    const victim = this.#running[at];
    if (victim === undefined) return;
    this.#running[at] = this.start('function');
    kill(victim);
  }

  freezeAny(ms: number): void {
    const { process } = this.any();
    process.frozenUntil = Math.max(process.frozenUntil, this.#parts.scheduler.now + ms);
  }

  /** Puts the clock of one forward, or back. */
  jumpAny(): 'forward' | 'back' {
    const { chance, skewMs } = this.#parts;
    const ahead = (2 * chance.unit() - 1) * skewMs;
    const instance = this.any();
    const before = instance.engine.deps.now();
    instance.setClock(ahead);
    return instance.engine.deps.now() < before ? 'back' : 'forward';
  }

  /** An instance besides those that answer calls. */
  start(name: string): Instance {
    const { scheduler, network, seed, chance, skewMs } = this.#parts;
    this.#started += 1;
    const process = new Process(`${name} ${this.#started}`);
    const random = seededRandom(`${seed}/${process.name}`);
    const secrets = seededRandom(`${seed}/${process.name}/secrets`);
    let ahead = (2 * chance.unit() - 1) * skewMs;
    const now = () => Math.floor(scheduler.now + ahead);
    const deps: Deps = {
      now,
      random,
      secret: (bytes) =>
        Buffer.from(Array.from({ length: bytes }, () => secrets() * 256)).toString('base64url'),
      sleep: async (ms) => scheduler.sleep(ms, process),
    };
    const client = clientOf(async (command) => network.send(process, command));
    const engine: Engine = {
      store: new Store({ tableName: TABLE_NAME, client, deps }),
      deps,
      leaseKeys: LEASE_KEYS,
      columns: new Cache(CONTRACT_CACHE_MS, now),
      boards: new Cache(CONTRACT_CACHE_MS, now),
      slugs: new Cache(CONTRACT_CACHE_MS, now),
      claims: new ClaimMemory(),
      webhooks: NO_WEBHOOKS,
      bucket: NO_BUCKET,
      maxWaitMs: MAX_WAIT_MS,
    };
    return { process, engine, onKill: new Set(), setClock: (ms) => (ahead = ms) };
  }
}

export function kill(instance: Instance): void {
  instance.process.alive = false;
  for (const hear of instance.onKill) hear();
}
