/**
 * What AWS bills for a call that DynamoDB Local has answered. The emulator's figures are taken as they are but for
 * these, which are put right here and nowhere else:
 * - a transaction's table share: printed for all items as one, billed twice for each by its own size;
 * - a transaction's index writes: printed twice, billed once;
 * - a refused condition: prints nothing, billed as if it had been written (a transaction: all of its items);
 * - an empty query, and a missing key of a batch read: print 0, billed as the least read.
 */
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { itemBytes } from './item-bytes.ts';

/** Read and write units of one call. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

/** A call as the client saw it. */
export interface Call {
  /** Name of the SDK's command. */
  readonly command: string;
  readonly input: object;
  readonly answer: { readonly output: object } | { readonly error: unknown };
  /** Of a transaction: for each of its items the larger of what was there before and after. */
  readonly sizes?: readonly number[];
}

const LEAST_READ = { strong: 1, eventual: 0.5 } as const;
/** In a transaction each item is billed for its preparation and for its commit. */
const TRANSACTION_FACTOR = 2;
const WRITE_UNIT_BYTES = 1_024;

export function awsUnits(call: Call): Units {
  const { command, input, answer } = call;
  if ('error' in answer)
    return { read: 0, write: isRefusal(answer.error) ? refusedUnits(call, answer.error) : 0 };
  const { table, indexes } = consumed(answer.output);
  switch (command) {
    case 'QueryCommand':
      return { read: Math.max(table + indexes, leastRead(input)), write: 0 };
    case 'GetItemCommand':
      return { read: table, write: 0 };
    case 'BatchGetItemCommand':
      return { read: table + missingKeys(input, answer.output), write: 0 };
    case 'TransactWriteItemsCommand':
      return { read: 0, write: transactionUnits(call) + indexes / TRANSACTION_FACTOR };
    case 'PutItemCommand':
    case 'UpdateItemCommand':
    case 'DeleteItemCommand':
      return { read: 0, write: table + indexes };
    default:
      throw new Error(`The bench does not know what AWS bills for ${command}`);
  }
}

/** True for an error that says that a condition did not hold. */
export function isRefusal(error: unknown): boolean {
  const name = field(error, 'name');
  return name === 'ConditionalCheckFailedException' || name === 'TransactionCanceledException';
}

function refusedUnits(call: Call, error: unknown): number {
  if (field(error, 'name') === 'TransactionCanceledException') return transactionUnits(call);
  const item = field(error, 'Item');
  // In the table's own notation, so a little too large: no refused item here is near the next kilobyte.
  return writeUnits(isObject(item) ? itemBytes(item) : 0);
}

function transactionUnits({ sizes }: Call): number {
  if (sizes === undefined)
    throw new Error('A transaction is billed by its items, whose sizes were not looked at');
  return sizes.reduce((sum, bytes) => sum + TRANSACTION_FACTOR * writeUnits(bytes), 0);
}

const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));

function consumed(output: object): { table: number; indexes: number } {
  const sums = { table: 0, indexes: 0 };
  for (const part of [field(output, 'ConsumedCapacity')].flat() as (ConsumedCapacity | undefined)[]) {
    if (part === undefined) throw new Error('A call of the engine under measurement asked for no capacity');
    const indexes = Object.values(part.GlobalSecondaryIndexes ?? {});
    const ofIndexes = indexes.reduce((units, index) => units + (index.CapacityUnits ?? 0), 0);
    sums.indexes += ofIndexes;
    sums.table += (part.CapacityUnits ?? 0) - ofIndexes;
  }
  return sums;
}

function leastRead(input: unknown): number {
  return field(input, 'ConsistentRead') === true ? LEAST_READ.strong : LEAST_READ.eventual;
}

function missingKeys(input: object, output: object): number {
  let units = 0;
  for (const [table, request] of Object.entries(field(input, 'RequestItems') ?? {})) {
    const found = list(field(field(output, 'Responses'), table)).length;
    units += (list(field(request, 'Keys')).length - found) * leastRead(request);
  }
  return units;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
function field(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined;
}
