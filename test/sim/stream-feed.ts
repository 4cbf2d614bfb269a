/**
 * The table's stream and the fan-out behind it: shards side by side, each in the order of its cards; batches that come
 * again, whole or from where they failed; instances that die over them.
 */
import { marshall } from '@aws-sdk/util-dynamodb';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { matchesPattern } from '../../local/event-pattern.ts';
import { createFanOut, type FanOut } from '../../shared/events/fan-out.ts';
import type { FanOutStep } from '../../shared/events/step.ts';
import { wakeStep } from '../../shared/links/wake-step.ts';
import type { Item } from '../../shared/store/params.ts';
import type { Chance } from './chance.ts';
import type { Configuration } from './configuration.ts';
import type { Counters } from './counters.ts';
import { kill, type Instance, type Instances } from './instances.ts';
import type { Delivered } from './recording.ts';
import { Process, type Scheduler } from './scheduler.ts';
import type { Change } from './table/memory-table.ts';

const SHARDS = 2;
const POLL_MS = 250;
const { filters, batchSize } = FUNCTIONS.fanout.stream;
/** Chances per batch, where the stream has faults. */
const FAULTS = { again: 0.1, killed: 0.05, refused: 0.05, back: 0.02 } as const;
/** Records that are read again when a reader begins further back. */
const BACK = 40;

interface Record {
  readonly dynamodb: {
    readonly SequenceNumber: string;
    Keys: unknown;
    NewImage?: unknown;
    OldImage?: unknown;
  };
}

export interface StreamParts {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly counters: Counters;
  readonly instances: Instances;
  readonly configuration: () => Configuration;
}

export class StreamFeed {
  readonly delivered: Delivered[] = [];
  readonly #parts: StreamParts;
  readonly #shards: Record[][] = Array.from({ length: SHARDS }, () => []);
  #busy = 0;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    for (const shard of this.#shards) void this.#follow(shard);
  }

  /** Takes in a change, as the stream and its filters do. */
  add(change: Change): void {
    if (change.key.sk !== 'JOB' && change.key.sk !== 'BOARD') return;
    if (!isWanted(change)) return;
    const record: Record = {
      dynamodb: {
        Keys: marshall(change.key),
        SequenceNumber: String(change.number).padStart(9, '0'),
        ...image('NewImage', change.after),
        ...image('OldImage', change.before),
      },
    };
    this.#shards[shardOf(change.key.pk)]?.push(record);
  }

  /** True when nothing is left to be delivered. */
  get idle(): boolean {
    return this.#busy === 0 && this.#shards.every((shard) => shard.length === 0);
  }

  async #follow(shard: Record[]): Promise<void> {
    const { scheduler, chance, counters } = this.#parts;
    let past: Record[] = [];
    const service = new Process('stream');
    let worker = this.#worker();
    for (;;) {
      await scheduler.sleep(POLL_MS * (0.5 + chance.unit()), service);
      if (shard.length === 0) continue;
      this.#busy += 1;
      const dies = this.#faulty(FAULTS.killed);
      const done = await this.#deliver(service, worker, shard.slice(0, batchSize), dies);
      if (dies) worker = this.#worker();
      past = [...past, ...shard.splice(0, done)].slice(-BACK);
      if (past.length > 0 && this.#faulty(FAULTS.back)) {
        counters.add('read again from further back');
        shard.unshift(...past);
        past = [];
      }
      this.#busy -= 1;
    }
  }

  #worker(): { instance: Instance; fanOut: FanOut } {
    const instance = this.#parts.instances.start('fan-out');
    const { store, deps } = instance.engine;
    const steps = { outside: this.#outside, waking: wakeStep(instance.engine) };
    const fanOut = createFanOut({ store, deps, report: () => undefined, steps });
    return { instance, fanOut };
  }

  /** Hands a batch on; answers how many of its records are done with. */
  async #deliver(
    service: Process,
    { instance, fanOut }: { instance: Instance; fanOut: FanOut },
    batch: readonly Record[],
    dies: boolean,
  ): Promise<number> {
    const { scheduler, chance, counters } = this.#parts;
    if (dies) {
      counters.add('fan-out killed');
      scheduler.after(chance.unit() * 20, null, () => kill(instance));
    }
    return new Promise((resolve) => {
      if (dies) scheduler.after(1_000, service, () => resolve(0));
      scheduler.after(0, instance.process, () => {
        fanOut(batch).then(
          ({ failed }) => {
            if (dies) return;
            if (this.#faulty(FAULTS.again)) {
              counters.add('batch delivered twice');
              resolve(0);
              return;
            }
            const first = batch.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === failed[0]);
            if (first >= 0) counters.add('batch failed in part');
            resolve(first < 0 ? batch.length : first);
          },
          () => resolve(0),
        );
      });
    });
  }

  readonly #outside: FanOutStep = async (events) => {
    const again = new Set<string>();
    for (const { id, subject, sequence, text } of events) {
      this.delivered.push({ at: this.#parts.scheduler.now, id, subject, sequence, text });
      if (this.#faulty(FAULTS.refused)) again.add(id);
    }
    return again;
  };

  #faulty(chanceOfIt: number): boolean {
    return this.#parts.configuration().streamFaults && this.#parts.chance.with(chanceOfIt);
  }
}

/** What the filters look at is marshalled first: most of what they leave out is large, and comes often. */
function isWanted({ key, after }: Change): boolean {
  const { op } = after ?? {};
  const dynamodb = { Keys: marshall(key), ...image('NewImage', op === undefined ? after : { op }) };
  return filters.some((filter) => matchesPattern(filter, { dynamodb }));
}

const image = (name: 'NewImage' | 'OldImage', item: Item | undefined) =>
  item === undefined ? {} : { [name]: marshall(item, { removeUndefinedValues: true }) };

/** A card's records are all in one shard. */
function shardOf(pk: string): number {
  let sum = 0;
  for (let at = 0; at < pk.length; at += 1) sum = (sum * 31 + pk.charCodeAt(at)) % 9_973;
  return sum % SHARDS;
}
