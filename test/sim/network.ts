/**
 * The way from an instance to the table: the SDK with its tries and time limits, a network that loses and delays, a
 * service that throttles and reports conflicts. Faults change when and how often a command is carried out, and what
 * its sender hears; never what the table would do.
 */
import {
  BatchGetCommand,
  DeleteCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../shared/store/params.ts';
import type { Chance } from './chance.ts';
import type { Configuration, NetworkFaults } from './configuration.ts';
import type { Counters } from './counters.ts';
import type { Process, Scheduler } from './scheduler.ts';
import { TableError, transactionCancelled } from './table/errors.ts';
import type { Serve } from './table/memory-client.ts';

/** As the product's client has it (shared/store/client.ts) and the SDK for DynamoDB: four tries of two seconds. */
const TRIES = 4;
const TIMEOUT_MS = 2_000;
const BACKOFF_MS = 50;
const LATENCY_MS = [0.5, 4] as const;
/** A request that was thought lost arrives this much after its time-out at the latest. */
const LATEST_MS = 4_000;
/** Of an outage: every call fails, some by silence. */
const OUTAGE_SILENT = 0.3;

const RETRIED = new Set([
  'TimeoutError',
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'InternalServerError',
]);

/** In this order each takes its share of the one chance that a call has. */
const FAULTS = [
  'lostRequest',
  'lostAnswer',
  'late',
  'throttle',
  'throttleApplied',
  'conflict',
  'unprocessed',
] as const satisfies readonly (keyof NetworkFaults)[];

type Answer = { readonly value: Item } | { readonly error: unknown };
type Fault = keyof NetworkFaults | 'outage' | null;

/** What throttles by itself: the table, or one of its indexes, with the writes that it would have to follow. */
export type Throttled = 'table' | 'lanes' | 'by_board';
/** Of the calls in a spell. */
const THROTTLED_SHARE = 0.7;

/** A command on its way, with whether a try of it was carried out. */
interface Sent {
  readonly command: unknown;
  applied: boolean;
}

export interface NetworkParts {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly serve: Serve;
  readonly counters: Counters;
  /** Faults as they are now. */
  readonly faults: () => Configuration['network'];
  readonly outage: () => boolean;
  /** What throttles just now; null for nothing. */
  readonly spell: () => Throttled | null;
  /** Told of each query's answer, before its sender is. */
  readonly onQuery: (command: QueryCommand, answer: Item) => void;
}

export class Network {
  readonly #parts: NetworkParts;

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Sends as the SDK does: with a time limit, and again after what a later try may not meet. */
  async send(process: Process | null, command: unknown): Promise<Item> {
    const { scheduler, chance, counters } = this.#parts;
    const sent: Sent = { command, applied: false };
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#try(process, sent);
      if ('value' in answer) return answer.value;
      const name = answer.error instanceof Error ? answer.error.name : '';
      if (!RETRIED.has(name) || attempt >= TRIES) {
        if (RETRIED.has(name)) counters.add('the SDK gave up');
        throw answer.error;
      }
      await scheduler.sleep(chance.unit() * BACKOFF_MS * 2 ** attempt, process);
    }
  }

  #latency(): number {
    return this.#parts.chance.between(...LATENCY_MS);
  }

  async #try(process: Process | null, sent: Sent): Promise<Answer> {
    const { scheduler, counters } = this.#parts;
    const { command } = sent;
    const fault = this.#fault(command);
    if (fault !== null) counters.add(`fault: ${fault}`);
    return new Promise((heard) => {
      const answer = (given: Answer, ms = this.#latency()) =>
        scheduler.after(ms, process, () => heard(given));
      const silence = () =>
        answer({ error: new TableError('TimeoutError', 'No answer in time') }, TIMEOUT_MS);
      // On its way it belongs to nobody: what its sender has become does not hold it up.
      const arrives = (ms: number, then: (given: Answer) => void) =>
        scheduler.after(ms, null, () => then(this.#carryOut(sent, fault)));
      switch (fault) {
        case 'lostRequest':
        case 'outage':
          silence();
          return;
        case 'lostAnswer':
          arrives(this.#latency(), () => undefined);
          silence();
          return;
        case 'late':
          arrives(TIMEOUT_MS + this.#parts.chance.unit() * LATEST_MS, () => undefined);
          silence();
          return;
        case 'throttle':
          answer({ error: throttled(command) });
          return;
        case 'conflict':
          answer({ error: conflict(command, this.#parts.chance) });
          return;
        case 'throttleApplied':
          arrives(this.#latency(), () =>
            answer({ error: new TableError('InternalServerError', 'Internal server error') }),
          );
          return;
        case 'unprocessed':
        case null:
          arrives(this.#latency(), (given) => answer(given));
      }
    });
  }

  #fault(command: unknown): Fault {
    const { chance, faults, outage, spell, counters } = this.#parts;
    if (outage() && chance.with(OUTAGE_SILENT)) return 'outage';
    if (outage()) return 'throttle';
    const throttling = spell();
    if (throttling !== null && isOn(command, throttling) && chance.with(THROTTLED_SHARE)) {
      counters.add(`throttled: ${throttling}`);
      return 'throttle';
    }
    const rates = faults();
    let at = chance.unit();
    for (const name of FAULTS) {
      const rate = rates[name];
      const possible =
        name === 'conflict'
          ? isWrite(command)
          : name === 'unprocessed'
            ? command instanceof BatchGetCommand
            : true;
      if (!possible) continue;
      if (at < rate) return name;
      at -= rate;
    }
    return null;
  }

  #carryOut(sent: Sent, fault: Fault): Answer {
    const { command } = sent;
    const isRepeat = sent.applied;
    try {
      const value = this.#parts.serve(command);
      sent.applied = isWrite(command);
      if (isRepeat) this.#parts.counters.add('write carried out twice');
      if (command instanceof QueryCommand) this.#parts.onQuery(command, value);
      return { value: fault === 'unprocessed' ? partly(command, value) : value };
    } catch (error) {
      if (isRepeat) this.#parts.counters.add('own earlier write refused its repeat');
      return { error };
    }
  }
}

const READS = new Set(['GetCommand', 'BatchGetCommand', 'QueryCommand']);
const isWrite = (command: unknown): boolean =>
  typeof command === 'object' && command !== null && !READS.has(command.constructor.name);

/** An index throttles who queries it, and who writes to the table what it would have to show. */
function isOn(command: unknown, throttling: Throttled): boolean {
  if (command instanceof QueryCommand && command.input.IndexName !== undefined)
    return command.input.IndexName === throttling;
  if (throttling === 'table') return true;
  const sort = throttling === 'lanes' ? 'JOB' : 'CARD';
  return isWrite(command) && keysOf(command).includes(sort);
}

/** Sort keys of what a write writes to. */
function keysOf(command: unknown): unknown[] {
  if (command instanceof TransactWriteCommand) {
    return (command.input.TransactItems ?? []).map(
      ({ Put, Update, Delete }) => (Put?.Item ?? Update?.Key ?? Delete?.Key)?.['sk'],
    );
  }
  if (command instanceof PutCommand) return [command.input.Item?.['sk']];
  if (command instanceof UpdateCommand || command instanceof DeleteCommand)
    return [command.input.Key?.['sk']];
  return [];
}

function throttled(command: unknown): TableError {
  return command instanceof TransactWriteCommand
    ? transactionCancelled((command.input.TransactItems ?? []).map(() => ({ code: 'ThrottlingError' })))
    : new TableError('ProvisionedThroughputExceededException', 'Too many requests');
}

function conflict(command: unknown, chance: Chance): TableError {
  if (!(command instanceof TransactWriteCommand)) {
    return new TableError('TransactionConflictException', 'Transaction is ongoing for the item');
  }
  const items = command.input.TransactItems ?? [];
  const hit = chance.below(Math.max(1, items.length));
  return transactionCancelled(items.map((_, at) => (at === hit ? { code: 'TransactionConflict' } : null)));
}

/** Half of a batch, the rest to be asked for again. */
function partly(command: unknown, value: Item): Item {
  if (!(command instanceof BatchGetCommand)) return value;
  const responses = value['Responses'] as Record<string, Item[]>;
  const [request] = Object.entries(command.input.RequestItems ?? {});
  if (request === undefined) return value;
  const [table, { Keys = [] }] = request;
  const kept = Keys.slice(0, Math.ceil(Keys.length / 2));
  const rest = Keys.slice(kept.length);
  if (rest.length === 0) return value;
  const isKept = (item: Item) => kept.some((key) => key['pk'] === item['pk'] && key['sk'] === item['sk']);
  return {
    Responses: { [table]: (responses[table] ?? []).filter(isKept) },
    UnprocessedKeys: { [table]: { Keys: rest } },
  };
}
