/** What one instance of a function keeps between requests: the engine, made once, and the keys that it signs with. */
import { NO_BUCKET, type Bucket } from '../shared/attachments/bucket.ts';
import type { People } from '../shared/auth/people.ts';
import { Cache } from '../shared/cache.ts';
import { ClaimMemory } from '../shared/claim/memory.ts';
import { systemDeps, type Deps } from '../shared/deps.ts';
import type { Engine } from '../shared/engine.ts';
import { readEnv } from '../shared/env.ts';
import { fetchLeaseKeys, type LeaseKeys } from '../shared/lease-keys.ts';
import { CONTRACT_CACHE_MS, TOKEN_CACHE_MS } from '../shared/policy.ts';
import { documentClient } from '../shared/store/client.ts';
import { Store } from '../shared/store/store.ts';
import { NO_WEBHOOKS, type WebhookOutlet } from '../shared/webhooks/outlet.ts';
import type { Instance } from './http/request-handler.ts';
import { jsonLog } from './http/log.ts';
import { SECOND_MS } from '../shared/units.ts';

/**
 * How long an instance works with the lease keys that it has. A rotation adds the new key first and signs with it
 * only after this long, so that every instance knows it by then.
 */
const LEASE_KEYS_MS = 300_000;

/**
 * Reads the environment at once, so that a missing variable fails the cold start by its name, and nothing else
 * before the first request asks for it.
 *
 * @param fetchKeys Reads the secret; a function that may not is given none, and its engine refuses lease tokens.
 * @param webhooksOf A parameter, since the hot functions must not carry the client of a queue.
 * @param bucketOf A parameter, since not every function may reach the files of attachments.
 * @param peopleOf A parameter, since only functions that answer requests look at identity tokens.
 * @param traceRateOf A parameter, since only functions that answer requests record spans.
 */
export function createInstance(
  fetchKeys: typeof fetchLeaseKeys | null = fetchLeaseKeys,
  webhooksOf: (deps: Deps) => WebhookOutlet = () => NO_WEBHOOKS,
  bucketOf: (deps: Deps, client: ReturnType<typeof documentClient>) => Bucket = () => NO_BUCKET,
  peopleOf: () => People | null = () => null,
  traceRateOf: () => number = () => 0,
): Instance {
  const deps = systemDeps;
  const now = () => deps.now();
  const secretId = readEnv('LEASE_KEY_SECRET_ID');
  const client = documentClient();
  const store = new Store({ tableName: readEnv('TABLE_NAME'), client, deps });
  const keys = rotatingKeys(() => fetchKeys?.(secretId) ?? Promise.resolve(undefined), now);
  const engine: Engine = {
    store,
    deps,
    get leaseKeys() {
      return keys.current();
    },
    columns: new Cache(CONTRACT_CACHE_MS, now),
    boards: new Cache(CONTRACT_CACHE_MS, now),
    slugs: new Cache(CONTRACT_CACHE_MS, now),
    claims: new ClaimMemory(),
    webhooks: webhooksOf(deps),
    bucket: bucketOf(deps, client),
    maxWaitMs: readMaxWait(),
  };
  return {
    engine,
    people: peopleOf(),
    tokens: new Cache(TOKEN_CACHE_MS, now),
    ready: keys.refresh,
    log: jsonLog(now),
    traceRate: traceRateOf(),
  };
}

/** A wait that is no number would never be over. */
function readMaxWait(): number {
  const seconds = Number(readEnv('MAX_WAIT_SECONDS'));
  if (seconds >= 0 && Number.isFinite(seconds)) return seconds * SECOND_MS;
  throw new Error('Environment variable MAX_WAIT_SECONDS is not a number of seconds, 0 or more.');
}

interface RotatingKeys {
  readonly current: () => LeaseKeys;
  readonly refresh: () => Promise<void>;
}

/** Keys read again after a while; while the secret cannot be read, those read last stay good. */
export function rotatingKeys(
  fetchKeys: () => Promise<LeaseKeys | undefined>,
  now: () => number,
): RotatingKeys {
  const cache = new Cache<LeaseKeys>(LEASE_KEYS_MS, now);
  let last: LeaseKeys | undefined;
  return {
    current: () => {
      if (last === undefined) throw new Error('The lease keys are asked for before they were read');
      return last;
    },
    refresh: async () => {
      try {
        last = await cache.get('lease-keys', fetchKeys);
      } catch (error) {
        if (last === undefined) throw error;
      }
    },
  };
}
