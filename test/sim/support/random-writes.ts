/**
 * Random calls of the Store over few keys, so that they meet each other: every kind of write, condition and query
 * that the engine makes. The same seed makes the same calls.
 */
import { ABSENT, expression, PRESENT, type Expression } from '../../../shared/store/conditions.ts';
import type { Key } from '../../../shared/store/keys.ts';
import type { Item, Update, Write } from '../../../shared/store/params.ts';
import type { QueryInput, Store } from '../../../shared/store/store.ts';
import { LANES_INDEX } from '../../../shared/store/table.ts';
import type { Chance } from '../chance.ts';

const PARTITIONS = ['crd_a', 'crd_b', 'SLOT#c'];
const SORTS = ['JOB', 'CARD', 'RUN#000000001', 'RUN#000000002', 'RUN#000000010', '00001'];
const LANES = ['L#00#R', 'L#00#T'];
const NUMBERS = ['run', 'sequence', 'attempt', 'expires_at', 'max_attempts'];
const TEXTS = ['nonce', 'state', 'slot', 'take', 'title', 'assignee'];
const WORDS = ['a', 'b', 'leased', 'ready', 'é', '𝄞'];
const SMALL = 4;
/** One in so many updates goes wrong on purpose: an index's key of the wrong type. */
const ODD = 40;

const keyBy = (chance: Chance): Key => ({ pk: chance.one(PARTITIONS), sk: chance.one(SORTS) });

function valueBy(chance: Chance): unknown {
  return chance.one<() => unknown>([
    () => chance.one(WORDS),
    () => chance.below(SMALL),
    () => true,
    () => [chance.one(WORDS), chance.below(SMALL)],
    () => ({ type: 'agent', id: chance.one(WORDS), left_out: undefined, at: { n: chance.below(SMALL) } }),
    () => Uint8Array.from([chance.below(256), 1]),
    () => null,
  ])();
}

/** Attributes as the engine has them: some of an index's, some of its own. `pos` tells items of one lane apart. */
function attributesBy(chance: Chance, key: Key): Item {
  const item: Item = {};
  if (chance.yes(2)) {
    item['lane'] = chance.one(LANES);
    item['pos'] = `${chance.below(SMALL)}#${key.pk}#${key.sk}`;
  }
  if (chance.yes(4)) {
    item['board'] = 'brd';
    item['created'] = `${chance.below(SMALL)}${key.pk}${key.sk}`;
  }
  for (const name of NUMBERS) if (chance.yes(2)) item[name] = chance.below(SMALL);
  for (const name of TEXTS) if (chance.yes(3)) item[name] = chance.one(WORDS);
  if (chance.yes(3)) item['block'] = valueBy(chance);
  return item;
}

function conditionBy(chance: Chance): Expression {
  const number = chance.one(NUMBERS);
  const text = chance.one(TEXTS);
  const pins = { n: chance.below(SMALL), w: chance.one(WORDS), c_max: 2 };
  return chance.one<() => Expression>([
    () => ABSENT,
    () => PRESENT,
    () => expression(`#${number} = :c_n`, pins),
    () => expression(`#${number} <= :c_n AND #${text} = :c_w`, pins),
    () => expression(`attribute_not_exists(#pk) OR #${number} <= :c_n`, pins),
    () => expression(`attribute_exists(#${text}) AND attribute_not_exists(#${number})`, pins),
    () => expression(`#${text} = :c_w`, pins),
    () => expression(`#${text} <= :c_n`, pins),
    () =>
      expression(
        '((attribute_exists(#max_attempts) AND #attempt < #max_attempts) OR ' +
          '(attribute_not_exists(#max_attempts) AND #attempt < :c_n))',
        pins,
      ),
  ])();
}

function updateBy(chance: Chance): Update {
  const key = keyBy(chance);
  const set = attributesBy(chance, key);
  const names = [...NUMBERS, ...TEXTS, 'block', 'lane', 'created'].filter((name) => !(name in set));
  const take = () => names.splice(chance.below(names.length), 1)[0] ?? 'spare';
  const numbers = NUMBERS.filter((name) => !(name in set));
  const add = chance.yes(4) && numbers.length > 0 ? { [numbers.shift() ?? '']: 1 } : undefined;
  const tally = chance.yes(5) && numbers.length > 0 ? { [numbers.shift() ?? '']: 2 } : undefined;
  const used = new Set([...Object.keys(add ?? {}), ...Object.keys(tally ?? {})]);
  const remove = chance.yes(2) ? [take(), take()].filter((name) => !used.has(name)) : [];
  const copy = chance.yes(5) ? { copied: { from: chance.one(TEXTS), default: 'none' } } : undefined;
  return {
    kind: 'update',
    key,
    set,
    remove: [...new Set(remove)],
    ...(add === undefined ? {} : { add }),
    ...(tally === undefined ? {} : { tally }),
    ...(copy === undefined ? {} : { copy }),
    ...(chance.yes(3) ? {} : { condition: conditionBy(chance) }),
  };
}

function writeBy(chance: Chance): Write {
  return chance.one<() => Write>([
    () => {
      const key = keyBy(chance);
      const condition = chance.yes(2) ? { condition: conditionBy(chance) } : {};
      return { kind: 'put', item: { ...key, ...attributesBy(chance, key) }, ...condition };
    },
    () => ({
      kind: 'delete',
      key: keyBy(chance),
      ...(chance.yes(2) ? { condition: conditionBy(chance) } : {}),
    }),
    () => updateBy(chance),
    () => updateBy(chance),
  ])();
}

function keyText(write: Write): string {
  const { pk, sk } = write.kind === 'put' ? write.item : write.key;
  return `${pk} ${sk}`;
}

function queryBy(chance: Chance): QueryInput {
  const page = {
    ...(chance.yes(2) ? { limit: 1 + chance.below(SMALL) } : {}),
    ...(chance.yes(3) ? { reverse: true } : {}),
  };
  if (chance.yes(2)) {
    const sk = chance.one([
      undefined,
      { name: 'pos', prefix: `${chance.below(SMALL)}#` },
      { name: 'pos', until: `${chance.below(SMALL)}#~` },
    ]);
    const pk = { name: 'lane', value: chance.one(LANES) };
    return { index: LANES_INDEX, pk, ...(sk === undefined ? {} : { sk }), ...page };
  }
  const sk = chance.one([undefined, { name: 'sk', prefix: 'RUN#' }, { name: 'sk', until: 'JOB' }]);
  const pk = { name: 'pk', value: chance.one(PARTITIONS) };
  return { pk, ...(sk === undefined ? {} : { sk }), ...page, consistent: chance.yes(2) };
}

/** One call of a Store. What it answers, or how it fails, as plain data. */
export type Call = (store: Store) => Promise<unknown>;

export function callBy(chance: Chance): Call {
  return chance.one<() => Call>([
    () => {
      const write = writeBy(chance);
      return (store) => store.write(write);
    },
    () => {
      const update = updateBy(chance);
      if (!chance.yes(ODD)) return (store) => store.write(update);
      const { condition: _condition, ...bare } = update;
      const remove = bare.remove.filter((name) => name !== 'lane');
      return (store) => store.write({ ...bare, set: { ...bare.set, lane: 7 }, remove });
    },
    () => {
      const writes = Array.from({ length: 1 + chance.below(SMALL) }, () => writeBy(chance));
      // Of two writes of one item DynamoDB refuses the whole, which the emulator does not always do.
      const distinct = [...new Map(writes.map((write) => [keyText(write), write])).values()];
      return (store) => store.transact(distinct);
    },
    () => {
      const key = keyBy(chance);
      return (store) => store.get(key);
    },
    () => {
      const keys = Array.from({ length: SMALL }, () => keyBy(chance));
      return (store) => store.batchGet(keys);
    },
    () => {
      const input = queryBy(chance);
      return (store) => readPages(store, input);
    },
  ])();
}

/** All pages, one behind the other; an empty one at the end is as good as none. */
async function readPages(store: Store, input: QueryInput) {
  const pages: Item[][] = [];
  let start: Item | undefined;
  do {
    const page = await store.query({ ...input, ...(start === undefined ? {} : { start }) });
    if (page.items.length > 0 || page.next !== undefined) pages.push(page.items);
    start = page.next;
  } while (start !== undefined);
  return pages;
}

/**
 * The answer as data that two tables can be compared by; of a failure, its name. What cannot be computed within a
 * transaction cancels it on AWS, with `ValidationError` among the reasons; the emulator says ValidationException.
 */
export async function outcomeOf(store: Store, call: Call): Promise<unknown> {
  try {
    return { answered: await call(store) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { failed: isUncomputable(error) ? 'ValidationException' : error.name };
  }
}

const isUncomputable = (error: Error): boolean =>
  'CancellationReasons' in error && JSON.stringify(error.CancellationReasons).includes('ValidationError');
