/** One simulated installation: table, indexes, stream, functions, and the callers outside. */
import type { Caller } from '../../shared/engine.ts';
import { Callers } from './caller.ts';
import { chanceOf, type Chance } from './chance.ts';
import { withoutFaults, type Configuration } from './configuration.ts';
import { Counters } from './counters.ts';
import { laggingIndex } from './index-lag.ts';
import { Instances } from './instances.ts';
import { Network, type Throttled } from './network.ts';
import type { Call, TimedChange } from './recording.ts';
import { Process, Scheduler } from './scheduler.ts';
import { StreamFeed } from './stream-feed.ts';
import { createService, type Serve } from './table/memory-client.ts';
import { MemoryTable } from './table/memory-table.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { LANES_INDEX } from '../../shared/store/table.ts';
import type { Item } from '../../shared/store/params.ts';
import { jobKey } from '../../shared/store/keys.ts';

const START = Date.UTC(2026, 2, 2, 9);
/** Chance that an answer of the API gets lost, where the network has faults. */
const ANSWER_LOST = 0.01;

/** The one board's columns, by what they are for. */
export interface Places {
  readonly board: string;
  readonly ready: string;
  readonly review: string;
  readonly todo: string;
  readonly blocked: string;
  readonly done: string;
}

export interface SimulatedWorld {
  readonly seed: string;
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly counters: Counters;
  readonly table: MemoryTable;
  readonly instances: Instances;
  readonly callers: Callers;
  readonly stream: StreamFeed;
  readonly calls: Call[];
  readonly changes: TimedChange[];
  /** As faults are now: none while it is set up, nor once it is calm. */
  configuration: Configuration;
  readonly planned: Configuration;
  outageUntil: number;
  spell: { of: Throttled; until: number };
  ended: boolean;
  /** Set once faults have ended. */
  calmAt: number;
  /** Cards that were made, as far as anybody heard. */
  readonly cards: string[];
}

export interface WorldOptions {
  readonly seed: string;
  readonly configuration: Configuration;
  /** Stands between the network and the table: what a mutant changes, it changes here. */
  readonly mutate?: (serve: Serve, table: MemoryTable) => Serve;
}

export function createSimulatedWorld({ seed, configuration, mutate }: WorldOptions): SimulatedWorld {
  const scheduler = new Scheduler(START);
  const chance = (name: string) => chanceOf(seededRandom(`${seed}/${name}`));
  const counters = new Counters();
  const changes: TimedChange[] = [];
  const calls: Call[] = [];
  const calm = withoutFaults(configuration);
  const onIndexChange = laggingIndex(scheduler, chance('lag'), () => world.configuration.lag);
  const table = new MemoryTable({
    onIndexChange,
    onChange: (change) => {
      changes.push({ ...change, at: scheduler.now });
      world.stream.add(change);
    },
  });
  const service = createService(table);
  const network = new Network({
    scheduler,
    chance: chance('network'),
    serve: mutate === undefined ? service : mutate(service, table),
    counters,
    faults: () => world.configuration.network,
    outage: () => scheduler.now < world.outageUntil,
    spell: () => (scheduler.now < world.spell.until ? world.spell.of : null),
    onQuery: (command, answer) => {
      if (command.input.IndexName === LANES_INDEX) noteStale(table, counters, answer);
    },
  });
  const { skewMs } = configuration;
  const instances = new Instances(
    { scheduler, network, seed, chance: chance('instances'), skewMs },
    configuration.instances,
  );
  const stream = new StreamFeed({
    scheduler,
    chance: chance('stream'),
    counters,
    instances,
    configuration: () => world.configuration,
  });
  const lostAnswer = () => (world.configuration.network.lostAnswer > 0 ? ANSWER_LOST : 0);
  const world: SimulatedWorld = {
    seed,
    scheduler,
    chance: chance('world'),
    counters,
    table,
    instances,
    callers: new Callers({ scheduler, chance: chance('callers'), instances, calls, lostAnswer }),
    stream,
    calls,
    changes,
    configuration: calm,
    planned: configuration,
    outageUntil: 0,
    spell: { of: 'table', until: 0 },
    ended: false,
    calmAt: 0,
    cards: [],
  };
  return world;
}

/** Entries of the index that the cards themselves no longer bear out. */
function noteStale(table: MemoryTable, counters: Counters, answer: Item): void {
  for (const entry of (answer['Items'] ?? []) as Item[]) {
    if (entry['sk'] !== 'JOB') continue;
    const job = table.get(jobKey(String(entry['pk'])));
    if (job?.['lane'] !== entry['lane'] || job?.['pos'] !== entry['pos']) counters.add('stale index entry');
  }
}

export const newProcess = (name: string): Process => new Process(name);

export const agent = (name: string): Caller => ({
  tokenId: `tok-${name}`,
  tokenName: name,
  scopes: ['worker'],
  boardId: null,
  agent: name,
});

export const person = (name: string): Caller => ({
  tokenId: `tok-${name}`,
  tokenName: name,
  scopes: ['member'],
  boardId: null,
  agent: null,
});

export const ADMIN: Caller = { ...person('admin'), scopes: ['admin'] };
