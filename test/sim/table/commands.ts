/**
 * The calls that the Store makes, carried out on the table in memory: conditions, updates, transactions, queries.
 * Answers and refusals are those of DynamoDB; a test holds them equal.
 */
import type { Key } from '../../../shared/store/keys.ts';
import { TRANSACTION_MAX } from '../../../shared/store/limits.ts';
import type { Item } from '../../../shared/store/params.ts';
import { conditionFailed, invalid, mismatch, transactionCancelled, type PartRefusal } from './errors.ts';
import {
  holds,
  parseCondition,
  parseUpdate,
  Uncomputable,
  updated,
  type Placeholders,
} from './expression.ts';
import { INDEXES, indexName, type MemoryTable } from './memory-table.ts';
import { placeOf } from './sorted.ts';

export interface Conditional {
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
}
export interface PutInput extends Conditional {
  readonly Item?: Item | undefined;
}
export interface DeleteInput extends Conditional {
  readonly Key?: Item | undefined;
}
export interface UpdateInput extends DeleteInput {
  readonly UpdateExpression?: string | undefined;
}
export interface TransactPart {
  readonly Put?: PutInput | undefined;
  readonly Update?: UpdateInput | undefined;
  readonly Delete?: DeleteInput | undefined;
}
export interface QueryInput extends Conditional {
  readonly IndexName?: string | undefined;
  readonly KeyConditionExpression?: string | undefined;
  readonly Limit?: number | undefined;
  readonly ScanIndexForward?: boolean | undefined;
  readonly ExclusiveStartKey?: Item | undefined;
}

/** DynamoDB's own bounds: of an item, and of one answer of a query. */
const ITEM_BYTES_MAX = 400 * 1_024;
const KEYS_OF_INDEXES = new Set(INDEXES.flatMap(({ hash, range }) => [hash, range]));

const keyOf = (item: Item | undefined): Key => ({ pk: String(item?.['pk']), sk: String(item?.['sk']) });
const given = (input: Conditional): Placeholders => ({
  names: input.ExpressionAttributeNames ?? {},
  values: plain(input.ExpressionAttributeValues ?? {}) as Item,
});

/** A value as it is stored: what is undefined is left out, on every level. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(plain);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Item = {};
  for (const [name, each] of Object.entries(value)) if (each !== undefined) copy[name] = plain(each);
  return copy;
}

/** A write worked out against the table as it is: what to put, or why not. */
type Prepared =
  | { readonly key: Key; readonly after: Item | undefined }
  | { readonly refused: 'condition'; readonly old: Item | undefined }
  /** What is stored would not be an item; or what is there cannot be computed with. */
  | { readonly refused: 'unfit' | 'uncomputable'; readonly message: string };

function passes(input: Conditional, item: Item | undefined): boolean {
  const { ConditionExpression: text } = input;
  return text === undefined || holds(parseCondition(text), item, given(input));
}

function preparePut(table: MemoryTable, input: PutInput): Prepared {
  const key = keyOf(input.Item);
  const after = plain(input.Item ?? {}) as Item;
  const bad = unfit(after);
  if (bad !== null) return { refused: 'unfit', message: bad };
  const old = table.get(key);
  return passes(input, old) ? { key, after } : { refused: 'condition', old };
}

function prepareDelete(table: MemoryTable, input: DeleteInput): Prepared {
  const key = keyOf(input.Key);
  const old = table.get(key);
  return passes(input, old) ? { key, after: undefined } : { refused: 'condition', old };
}

function prepareUpdate(table: MemoryTable, input: UpdateInput): Prepared {
  const key = keyOf(input.Key);
  const old = table.get(key);
  const text = input.UpdateExpression ?? '';
  if (text === '') return { refused: 'unfit', message: 'The expression can not be empty' };
  if (!passes(input, old)) return { refused: 'condition', old };
  try {
    const before = old ?? { ...key };
    const after = updated(parseUpdate(text), before, given(input));
    const bad = unfit(after);
    return bad === null ? { key, after } : { refused: 'unfit', message: bad };
  } catch (error) {
    if (error instanceof Uncomputable) return { refused: 'uncomputable', message: error.message };
    throw error;
  }
}

/** Why DynamoDB would not store the item; null when it would. */
function unfit(item: Item): string | null {
  for (const name of KEYS_OF_INDEXES) {
    const value = item[name];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      return `Type mismatch for Index Key ${name}`;
  }
  return itemBytes(item) > ITEM_BYTES_MAX ? 'Item size has exceeded the maximum allowed size' : null;
}

/** Near enough for the bound: DynamoDB counts names, texts in UTF-8 and some bytes for each number and level. */
function itemBytes(item: Item): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    bytes += name.length;
    bytes +=
      typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.length : 8;
    if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
      bytes += JSON.stringify(value).length;
  }
  return bytes;
}

function carryOut(table: MemoryTable, prepared: Prepared): Item | undefined {
  if ('refused' in prepared) {
    throw prepared.refused === 'condition' ? conditionFailed(prepared.old) : invalid(prepared.message);
  }
  table.put(prepared.key, prepared.after);
  return prepared.after;
}

export const put = (table: MemoryTable, input: PutInput): void => {
  carryOut(table, preparePut(table, input));
};
export const remove = (table: MemoryTable, input: DeleteInput): void => {
  carryOut(table, prepareDelete(table, input));
};
/** Answers the item as it is then. */
export const update = (table: MemoryTable, input: UpdateInput): Item =>
  carryOut(table, prepareUpdate(table, input)) ?? {};

export const get = (table: MemoryTable, key: Item | undefined): Item | undefined => table.get(keyOf(key));

/** Transactions that went through, by their client tokens. */
export type KnownTokens = Map<string, string>;

export function transact(
  table: MemoryTable,
  parts: readonly TransactPart[],
  token: string | undefined,
  known: KnownTokens,
): void {
  const text = token === undefined ? '' : JSON.stringify(parts);
  const before = token === undefined ? undefined : known.get(token);
  if (before !== undefined) {
    if (before !== text) throw mismatch();
    return;
  }
  const keys = parts.map((part) => keyOf(part.Put?.Item ?? part.Update?.Key ?? part.Delete?.Key));
  if (new Set(keys.map(({ pk, sk }) => `${pk}\n${sk}`)).size < keys.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
  if (parts.length > TRANSACTION_MAX) throw invalid('Member must have length less than or equal to 100');
  const prepared = parts.map((part) => prepare(table, part));
  for (const each of prepared) {
    if ('refused' in each && each.refused === 'unfit') throw invalid(each.message);
  }
  const refusals = prepared.map(refusalOf);
  if (refusals.some((refusal) => refusal !== null)) throw transactionCancelled(refusals);
  for (const each of prepared) carryOut(table, each);
  if (token !== undefined) known.set(token, text);
}

function prepare(table: MemoryTable, { Put, Update, Delete }: TransactPart): Prepared {
  if (Put !== undefined) return preparePut(table, Put);
  if (Update !== undefined) return prepareUpdate(table, Update);
  return prepareDelete(table, Delete ?? {});
}

function refusalOf(prepared: Prepared): PartRefusal {
  if (!('refused' in prepared)) return null;
  return prepared.refused === 'condition'
    ? { code: 'ConditionalCheckFailed', old: prepared.old }
    : { code: 'ValidationError' };
}

const RANGE = /^#pk = :pk(?: AND (?:(begins_with)\(#sk, :sk\)|#sk (<=) :sk))?$/;

/** A page of a partition, of the table or of an index as it is shown. */
export function query(table: MemoryTable, input: QueryInput): { Items: Item[]; LastEvaluatedKey?: Item } {
  const { names, values } = given(input);
  const match = RANGE.exec(input.KeyConditionExpression ?? '');
  if (match === null) throw invalid(`This table answers no query by ${input.KeyConditionExpression}`);
  const index = INDEXES.find(({ name }) => name === input.IndexName);
  const range = names['#sk'] ?? '';
  const bound = String(values[':sk']);
  const inRange = (item: Item): boolean => {
    const at = String(item[range]);
    if (match[1] !== undefined) return at.startsWith(bound);
    return match[2] === undefined || at <= bound;
  };
  const sorted = table.entries(input.IndexName, String(values[':pk'])) ?? { names: [], values: [] };
  const backwards = input.ScanIndexForward === false;
  const step = backwards ? -1 : 1;
  const Items: Item[] = [];
  const limit = input.Limit ?? Number.MAX_SAFE_INTEGER;
  let at = firstPlace(sorted.names, input.ExclusiveStartKey, index?.range, backwards);
  for (; at >= 0 && at < sorted.names.length && Items.length < limit; at += step) {
    const item = sorted.values[at];
    if (item !== undefined && inRange(item)) Items.push({ ...item });
  }
  const last = Items.at(-1);
  // As DynamoDB: a full page has a next one, though it may turn out empty.
  if (last === undefined || Items.length < limit) return { Items };
  const keys = ['pk', 'sk', ...(index === undefined ? [] : [index.hash, index.range])];
  return { Items, LastEvaluatedKey: Object.fromEntries(keys.map((name) => [name, last[name]])) };
}

function firstPlace(
  names: readonly string[],
  start: Item | undefined,
  range: string | undefined,
  backwards: boolean,
): number {
  if (start === undefined) return backwards ? names.length - 1 : 0;
  const name = range === undefined ? String(start['sk']) : indexName(String(start[range]), keyOf(start));
  const at = placeOf(names, name);
  if (backwards) return at - 1;
  return names[at] === name ? at + 1 : at;
}
