/**
 * The product's table in memory: items, its two indexes and its stream, written by the rules of DynamoDB. It knows
 * no time and no faults; what comes late or goes wrong is put around it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Key } from '../../../shared/store/keys.ts';
import type { Item } from '../../../shared/store/params.ts';
import { tableDefinition } from '../../../shared/store/table.ts';
import { emptySorted, getEntry, setEntry, type Sorted } from './sorted.ts';

/** One change of one item, as the stream has it. */
export interface Change {
  /** Its place among all changes, from 1. */
  readonly number: number;
  readonly key: Key;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** An index's entry that appears, changes or goes: by whom, and when, it is shown is up to the index's lag. */
export interface IndexChange {
  readonly index: string;
  readonly hash: string;
  readonly name: string;
  readonly entry: Item | undefined;
}

export interface IndexDefinition {
  readonly name: string;
  readonly hash: string;
  readonly range: string;
  readonly projected: readonly string[];
}

const SEPARATOR = '\u0000';
const definition = tableDefinition('memory');

export const INDEXES: readonly IndexDefinition[] = definition.GlobalSecondaryIndexes.map((index) => ({
  name: index.IndexName,
  hash: index.KeySchema[0]?.AttributeName ?? '',
  range: index.KeySchema[1]?.AttributeName ?? '',
  projected: [
    'pk',
    'sk',
    ...index.KeySchema.map(({ AttributeName }) => AttributeName),
    ...index.Projection.NonKeyAttributes,
  ],
}));

type Partitions = Map<string, Sorted<Item>>;

export interface MemoryTableOptions {
  /** Told of every change in the order of the stream. */
  readonly onChange?: (change: Change) => void;
  /** Given every change of an index with the means to show it; default: at once, as DynamoDB Local does. */
  readonly onIndexChange?: (change: IndexChange, show: () => void) => void;
}

export class MemoryTable {
  readonly #items: Partitions = new Map();
  readonly #shown = new Map<string, Partitions>(INDEXES.map(({ name }) => [name, new Map()]));
  readonly #options: MemoryTableOptions;
  #changes = 0;

  constructor(options: MemoryTableOptions = {}) {
    this.#options = options;
  }

  get(key: Key): Item | undefined {
    return getEntry(this.#items.get(key.pk), key.sk);
  }

  /** Makes the item what it is told to be; undefined removes it. No record when nothing changed. */
  put(key: Key, after: Item | undefined): void {
    const before = this.get(key);
    if (isDeepStrictEqual(before, after)) return;
    // Handed out as it is: who changed it would change the table.
    setEntry(partition(this.#items, key.pk), key.sk, after === undefined ? after : Object.freeze(after));
    this.#changes += 1;
    for (const index of INDEXES) this.#reindex(index, before, after);
    this.#options.onChange?.({ number: this.#changes, key: { pk: key.pk, sk: key.sk }, before, after });
  }

  /** Items of one partition, in order, of the table or of an index as it is shown. */
  entries(index: string | undefined, hash: string): Sorted<Item> | undefined {
    return index === undefined ? this.#items.get(hash) : this.#shown.get(index)?.get(hash);
  }

  /** Every item, in no particular order. */
  *scan(): Generator<Item> {
    for (const { values } of this.#items.values()) yield* values;
  }

  /** Every entry that an index shows. */
  *scanIndex(index: string): Generator<Item> {
    for (const { values } of this.#shown.get(index)?.values() ?? []) yield* values;
  }

  #reindex(index: IndexDefinition, before: Item | undefined, after: Item | undefined): void {
    const was = indexEntry(index, before);
    const is = indexEntry(index, after);
    if (was !== null && (is === null || was.hash !== is.hash || was.name !== is.name)) {
      this.#indexChange({ ...was, index: index.name, entry: undefined });
    }
    if (is !== null && (was === null || !isDeepStrictEqual(was, is))) {
      this.#indexChange({ ...is, index: index.name });
    }
  }

  #indexChange(change: IndexChange): void {
    const show = () => {
      const shown = this.#shown.get(change.index);
      if (shown !== undefined) setEntry(partition(shown, change.hash), change.name, change.entry);
    };
    if (this.#options.onIndexChange === undefined) show();
    else this.#options.onIndexChange(change, show);
  }
}

function partition(of: Partitions, hash: string): Sorted<Item> {
  const known = of.get(hash);
  if (known !== undefined) return known;
  const fresh = emptySorted<Item>();
  of.set(hash, fresh);
  return fresh;
}

/** Place in an index: by its range key, then by the item's own. */
export const indexName = (range: string, key: Key): string => [range, key.pk, key.sk].join(SEPARATOR);

function indexEntry(index: IndexDefinition, item: Item | undefined) {
  const hash = item?.[index.hash];
  const range = item?.[index.range];
  if (item === undefined || typeof hash !== 'string' || typeof range !== 'string') return null;
  const entry: Item = {};
  for (const name of index.projected) if (item[name] !== undefined) entry[name] = item[name];
  return { hash, name: indexName(range, { pk: String(item['pk']), sk: String(item['sk']) }), entry };
}
