/**
 * A small world for one test file: an engine on a real table, with a clock that the test moves, chance that
 * repeats, and callers. Several worlds may share a table; they never make the same id.
 */
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { NO_BUCKET, type Bucket } from '../../shared/attachments/bucket.ts';
import { Cache } from '../../shared/cache.ts';
import { ClaimMemory } from '../../shared/claim/memory.ts';
import { systemDeps, type Deps } from '../../shared/deps.ts';
import type { Caller, Engine } from '../../shared/engine.ts';
import { parseLeaseKeys, type LeaseKeys } from '../../shared/lease-keys.ts';
import { CONTRACT_CACHE_MS } from '../../shared/policy.ts';
import { documentClient } from '../../shared/store/client.ts';
import { Store } from '../../shared/store/store.ts';
import { CapacityMeter } from './capacity-meter.ts';
import { createTestTable, type TestTable } from './dynamodb.ts';
import { MemoryQueue } from './memory-queue.ts';
import { seededRandom } from './seeded-random.ts';
import { TestClock } from './test-clock.ts';

/** Long polls of the engine under test, as `npm start` allows them. */
const MAX_WAIT_MS = 20_000;

export interface WorldOptions {
  /** Default: a table of its own. */
  readonly table?: TestTable;
  /** Whether the table of its own has a stream. */
  readonly stream?: boolean;
  /** Default: another one for each world of the file, the same in each run. */
  readonly seed?: number;
  /** Where the clock stands, in ms since the epoch. */
  readonly startAt?: number;
  /**
   * `instant` (default): a sleep ends at once and the clock then stands where it would have ended.
   * `real`: the same after a real wait of at most 50 ms, for tests in which many work at once.
   */
  readonly sleep?: 'instant' | 'real';
  /** For a table that is disturbed on the way. */
  readonly client?: DynamoDBClientConfig;
  readonly maxWaitMs?: number;
  /** Where files lie, as the engine's clock and chance make it; default nowhere. */
  readonly bucketOf?: (deps: Deps) => Bucket;
}

export interface World {
  readonly table: TestTable;
  readonly clock: TestClock;
  readonly meter: CapacityMeter;
  readonly leaseKeys: LeaseKeys;
  /** Deliveries to webhooks that are queued by any instance. */
  readonly deliveries: MemoryQueue;
  /** The first instance. */
  readonly main: Engine;
  /** Another instance on the same table and clock, with memory, caches and chance of its own. */
  engine(): Engine;
  readonly admin: Caller;
  /** A worker that names itself. */
  agent(name: string, more?: Partial<Caller>): Caller;
  /** A person, or any token without an agent name. */
  person(name: string, more?: Partial<Caller>): Caller;
}

let worlds = 0;

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  worlds += 1;
  const seed = options.seed ?? worlds;
  const table = options.table ?? (await createTestTable({ stream: options.stream ?? false }));
  const clock = new TestClock(options.startAt);
  const meter = new CapacityMeter();
  const leaseKeys = parseLeaseKeys(
    JSON.stringify({ current: 'k1', k1: 'a test key of at least 32 characters' }),
  );
  const deliveries = new MemoryQueue(clock.now);
  const client = documentClient({ ...table.clientOptions, ...options.client });
  let instances = 0;
  const engine = (): Engine => {
    instances += 1;
    const deps: Deps = {
      now: clock.now,
      random: seededRandom(`${seed}/${instances}`),
      secret: (bytes) => systemDeps.secret(bytes),
      sleep: clock.sleeper(options.sleep ?? 'instant'),
    };
    return {
      store: new Store({ tableName: table.tableName, client, deps, meter: meter.record }),
      deps,
      leaseKeys,
      columns: new Cache(CONTRACT_CACHE_MS, clock.now),
      boards: new Cache(CONTRACT_CACHE_MS, clock.now),
      slugs: new Cache(CONTRACT_CACHE_MS, clock.now),
      claims: new ClaimMemory(),
      webhooks: { queue: deliveries, targets: 'loopback' },
      bucket: options.bucketOf?.(deps) ?? NO_BUCKET,
      maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
    };
  };
  return {
    table,
    clock,
    meter,
    leaseKeys,
    deliveries,
    main: engine(),
    engine,
    admin: caller('admin', { scopes: ['admin'] }),
    agent: worker,
    person: (name, more) => caller(name, { scopes: ['member'], ...more }),
  };
}

/** A worker that names itself. */
export function worker(name: string, more: Partial<Caller> = {}): Caller {
  return caller(name, { scopes: ['worker'], agent: name, ...more });
}

function caller(name: string, more: Partial<Caller>): Caller {
  return { tokenId: name, tokenName: name, scopes: [], boardId: null, agent: null, ...more };
}
