/**
 * What a seed decides about its run before anything happens. Not every run has every fault: what two faults hide
 * together, one alone shows (swarm testing).
 */
import type { ContractSettings } from '../../shared/contract/settings.ts';
import type { Chance } from './chance.ts';

export interface NetworkFaults {
  /** Chances per call to the table. */
  readonly lostRequest: number;
  readonly lostAnswer: number;
  /** Carried out only after the SDK has given up on it and tried again. */
  readonly late: number;
  readonly throttle: number;
  readonly throttleApplied: number;
  readonly conflict: number;
  /** Keys of a batch that come back unprocessed. */
  readonly unprocessed: number;
}

export interface IndexLag {
  /** Mean in ms; 0: the index shows everything at once. */
  readonly mean: number;
  /** Chance of an entry that is shown ten seconds late. */
  readonly spike: number;
}

export interface Configuration {
  readonly minutes: number;
  readonly instances: number;
  readonly workers: number;
  readonly people: number;
  readonly cards: number;
  /** A person acts once in so many ms, at most. */
  readonly paceMs: number;
  readonly network: NetworkFaults;
  readonly lag: IndexLag;
  /** Clocks of instances are off by at most this, in ms, and are put right or wrong now and then. */
  readonly skewMs: number;
  /** A night of so many hours in which nothing moves, somewhere in the run; 0 for none. */
  readonly nightHours: number;
  /** Mean ms between kills, and between freezes, of instances; 0 for never. */
  readonly killEveryMs: number;
  readonly freezeEveryMs: number;
  /** Mean ms between outages of the table, of up to 15 s each; 0 for never. */
  readonly outageEveryMs: number;
  /** Mean ms between spells, of up to 10 s each, in which the table or one of its indexes throttles; 0 for never. */
  readonly spellEveryMs: number;
  readonly reaper: 'on' | 'twice' | 'off';
  readonly reaperEveryMs: number;
  readonly streamFaults: boolean;
  /** Whether an admin changes limits and pauses columns while leases live. */
  readonly admin: boolean;
  /** Mean ms between changes of a queue's shards; 0 for never. */
  readonly reshardEveryMs: number;
  /** Tokens of another board that try everything here. */
  readonly strangers: number;
  readonly ready: Partial<ContractSettings>;
  readonly review: Partial<ContractSettings>;
}

/** Most columns have none; of the two one lets every card through, and one those that somebody put right. */
export const INPUT_SCHEMAS = [
  null,
  null,
  null,
  { type: 'object' },
  { type: 'object', required: ['ok'] },
] as const;

/** Most columns have one shard; with four, two are read at first. */
export const SHARDS = [1, 1, 1, 2, 4] as const;

const NO_FAULTS: NetworkFaults = {
  lostRequest: 0,
  lostAnswer: 0,
  late: 0,
  throttle: 0,
  throttleApplied: 0,
  conflict: 0,
  unprocessed: 0,
};

const RATES = [0, 0, 0.002, 0.02];
const MINUTE_MS = 60_000;

function networkBy(chance: Chance): NetworkFaults {
  if (chance.yes(4)) return NO_FAULTS;
  const rate = () => chance.one(RATES);
  return {
    lostRequest: rate(),
    lostAnswer: rate(),
    late: rate(),
    throttle: rate(),
    throttleApplied: rate(),
    conflict: chance.one([0, 0.01, 0.1]),
    unprocessed: rate(),
  };
}

function contractBy(chance: Chance): Partial<ContractSettings> {
  return {
    enabled: true,
    lease_ttl_seconds: chance.one([5, 8, 15]),
    max_attempts: chance.one([1, 2, 3, 6]),
    backoff_seconds: chance.one([[1], [2, 10], [0, 1, 5]]),
    backoff_jitter: chance.one([0, 0.5]),
    max_runtime_seconds: chance.one([null, null, 12, 40]),
    concurrency_limit: chance.one([null, null, 1, 2, 4]),
    exclude_previous_holder: chance.yes(4),
    changes_reserved_seconds: chance.one([0, 5, 20]),
    aging_seconds: chance.one([null, null, 10]),
    max_per_assignee: chance.one([null, null, null, 1]),
    block_recurrence_limit: chance.one([1, 2]),
    input_schema: chance.one(INPUT_SCHEMAS),
    shards: chance.one(SHARDS),
  };
}

export function configurationBy(chance: Chance): Configuration {
  return {
    minutes: chance.one([1, 2, 3]),
    instances: chance.one([1, 2, 4]),
    workers: chance.one([2, 3, 5, 8]),
    people: chance.one([0, 1, 2, 4]),
    cards: chance.one([1, 3, 8, 20]),
    paceMs: chance.one([2_500, 2_500, 400]),
    network: networkBy(chance),
    lag: chance.one([
      { mean: 0, spike: 0 },
      { mean: 20, spike: 0 },
      { mean: 20, spike: 0.02 },
      { mean: 300, spike: 0.01 },
    ]),
    skewMs: chance.one([0, 0, 200]),
    killEveryMs: chance.one([0, 0, 20_000]),
    freezeEveryMs: chance.one([0, 0, 30_000]),
    nightHours: chance.one([0, 0, 0, 0, 0, 25]),
    outageEveryMs: chance.one([0, 0, 0, MINUTE_MS]),
    spellEveryMs: chance.one([0, 0, 20_000]),
    reaper: chance.one(['on', 'on', 'twice', 'off']),
    reaperEveryMs: chance.one([MINUTE_MS, MINUTE_MS, 8_000]),
    streamFaults: chance.yes(2),
    admin: chance.yes(2),
    reshardEveryMs: chance.one([0, 0, 20_000]),
    strangers: chance.one([0, 0, 1]),
    ready: contractBy(chance),
    review: contractBy(chance),
  };
}

/** The same run with nothing going wrong any more: what is left must come to rest. */
export const withoutFaults = (configuration: Configuration): Configuration => ({
  ...configuration,
  network: NO_FAULTS,
  lag: { mean: 0, spike: 0 },
  killEveryMs: 0,
  freezeEveryMs: 0,
  nightHours: 0,
  outageEveryMs: 0,
  spellEveryMs: 0,
  streamFaults: false,
  admin: false,
  reshardEveryMs: 0,
});

/** Many at very few cards, for whoever wants to see races lost. */
export function crowdBy(chance: Chance): Configuration {
  const swarm = configurationBy(chance);
  return {
    ...swarm,
    // In half of them the network is sound: what is refused then has no excuse.
    ...(chance.yes(2) ? { network: NO_FAULTS, killEveryMs: 0 } : {}),
    minutes: 0.5,
    instances: 4,
    workers: chance.one([4, 8]),
    people: chance.one([4, 8]),
    cards: chance.one([1, 2, 4]),
    paceMs: chance.one([60, 300]),
    nightHours: 0,
    outageEveryMs: 0,
    spellEveryMs: 0,
    freezeEveryMs: 0,
    reaper: chance.one(['on', 'off']),
    reaperEveryMs: 3_000,
    admin: chance.yes(3),
    reshardEveryMs: chance.one([0, 3_000]),
    // Short leases and attempts to spare: holds change hands.
    ready: { ...swarm.ready, lease_ttl_seconds: 5, max_attempts: chance.one([2, 6]) },
  };
}
