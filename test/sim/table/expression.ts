/**
 * DynamoDB's notation of conditions and updates, as far as the Store speaks it: parsed once per text, evaluated on
 * plain items. Whatever else the notation has is refused here, so that nobody takes silence for support.
 */
import type { Item } from '../../../shared/store/params.ts';

export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Item>;
}

type Operand = { readonly name: string } | { readonly value: string };
type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'exists' | 'absent'; readonly of: Operand }
  | { readonly kind: 'begins'; readonly of: Operand; readonly prefix: Operand }
  | { readonly kind: 'compare'; readonly by: Comparator; readonly left: Operand; readonly right: Operand };

type Assigned =
  | Operand
  | { readonly sum: readonly [Operand, Operand] }
  | { readonly first: readonly [Operand, Operand] };

export interface UpdateExpression {
  readonly set: readonly { readonly name: string; readonly to: Assigned }[];
  readonly remove: readonly string[];
  readonly add: readonly { readonly name: string; readonly by: Operand }[];
}

const TOKEN = /\s*(<>|<=|>=|[=<>(),+]|[#:]?[A-Za-z_][A-Za-z0-9_]*)/y;
const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);

class Reader {
  readonly #tokens: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
      this.#tokens.push(match[1] ?? '');
      if (TOKEN.lastIndex === text.length) return;
    }
    throw this.refuse();
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  take(): string {
    const token = this.next;
    if (token === undefined) throw this.refuse();
    this.#at += 1;
    return token;
  }

  /** True, and past it, when the next token is `token`. */
  skip(token: string): boolean {
    if (this.next !== token) return false;
    this.#at += 1;
    return true;
  }

  must(token: string): void {
    if (!this.skip(token)) throw this.refuse();
  }

  operand(): Operand {
    const token = this.take();
    if (token.startsWith('#')) return { name: token };
    if (token.startsWith(':')) return { value: token };
    throw this.refuse();
  }

  refuse(): Error {
    return new Error(`This table does not speak: ${this.#text}`);
  }
}

const conditions = new Map<string, Condition>();
const updates = new Map<string, UpdateExpression>();

export function parseCondition(text: string): Condition {
  return remembered(conditions, text, (reader) => orPart(reader));
}

export function parseUpdate(text: string): UpdateExpression {
  return remembered(updates, text, updateParts);
}

function remembered<T>(known: Map<string, T>, text: string, parse: (reader: Reader) => T): T {
  const before = known.get(text);
  if (before !== undefined) return before;
  const reader = new Reader(text);
  const parsed = parse(reader);
  if (reader.next !== undefined) throw reader.refuse();
  known.set(text, parsed);
  return parsed;
}

function orPart(reader: Reader): Condition {
  const parts = [andPart(reader)];
  while (reader.skip('OR')) parts.push(andPart(reader));
  return one('or', parts);
}

function andPart(reader: Reader): Condition {
  const parts = [primary(reader)];
  while (reader.skip('AND')) parts.push(primary(reader));
  return one('and', parts);
}

function one(kind: 'and' | 'or', parts: readonly Condition[]): Condition {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : { kind, parts };
}

function primary(reader: Reader): Condition {
  if (reader.skip('NOT')) return { kind: 'not', part: primary(reader) };
  if (reader.skip('(')) {
    const inner = orPart(reader);
    reader.must(')');
    return inner;
  }
  if (reader.skip('attribute_exists')) return { kind: 'exists', of: argument(reader) };
  if (reader.skip('attribute_not_exists')) return { kind: 'absent', of: argument(reader) };
  if (reader.skip('begins_with')) {
    reader.must('(');
    const of = reader.operand();
    reader.must(',');
    const prefix = reader.operand();
    reader.must(')');
    return { kind: 'begins', of, prefix };
  }
  const left = reader.operand();
  const by = reader.take();
  if (!COMPARATORS.has(by)) throw reader.refuse();
  return { kind: 'compare', by: by as Comparator, left, right: reader.operand() };
}

function argument(reader: Reader): Operand {
  reader.must('(');
  const of = reader.operand();
  reader.must(')');
  return of;
}

function updateParts(reader: Reader): UpdateExpression {
  const set: { name: string; to: Assigned }[] = [];
  const remove: string[] = [];
  const add: { name: string; by: Operand }[] = [];
  const list = (item: () => void) => {
    do item();
    while (reader.skip(','));
  };
  while (reader.next !== undefined) {
    const section = reader.take();
    if (section === 'SET') {
      list(() => {
        const name = reader.take();
        reader.must('=');
        set.push({ name, to: assigned(reader) });
      });
    } else if (section === 'REMOVE') list(() => remove.push(reader.take()));
    else if (section === 'ADD') list(() => add.push({ name: reader.take(), by: reader.operand() }));
    else throw reader.refuse();
  }
  return { set, remove, add };
}

function assigned(reader: Reader): Assigned {
  if (reader.skip('if_not_exists')) {
    reader.must('(');
    const wanted = reader.operand();
    reader.must(',');
    const otherwise = reader.operand();
    reader.must(')');
    return { first: [wanted, otherwise] };
  }
  const left = reader.operand();
  return reader.skip('+') ? { sum: [left, reader.operand()] } : left;
}

function read(operand: Operand, item: Item, given: Placeholders): unknown {
  return 'name' in operand ? item[given.names[operand.name] ?? ''] : given.values[operand.value];
}

/** An item that is not there has no attributes. */
export function holds(condition: Condition, item: Item | undefined, given: Placeholders): boolean {
  const of = item ?? {};
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => holds(part, item, given));
    case 'or':
      return condition.parts.some((part) => holds(part, item, given));
    case 'not':
      return !holds(condition.part, item, given);
    case 'exists':
      return read(condition.of, of, given) !== undefined;
    case 'absent':
      return read(condition.of, of, given) === undefined;
    case 'begins': {
      const text = read(condition.of, of, given);
      return typeof text === 'string' && text.startsWith(String(read(condition.prefix, of, given)));
    }
    case 'compare':
      return compares(condition.by, read(condition.left, of, given), read(condition.right, of, given));
  }
}

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** A missing attribute, or one of another type, differs and is in no order. */
function compares(by: Comparator, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return false;
  if (by === '=') return isEqual(left, right);
  if (by === '<>') return !isEqual(left, right);
  if (typeof left === 'string' && typeof right === 'string') return inOrder(by, left < right, left === right);
  if (typeof left === 'number' && typeof right === 'number') return inOrder(by, left < right, left === right);
  return false;
}

function inOrder(by: Comparator, less: boolean, equal: boolean): boolean {
  if (by === '<') return less;
  if (by === '<=') return less || equal;
  return by === '>' ? !less && !equal : !less;
}

/** DynamoDB's refusal of an update that cannot be computed. */
export class Uncomputable extends Error {}

/** The item that an update makes of one; a new object, the old one is left as it is. */
export function updated(expression: UpdateExpression, item: Item, given: Placeholders): Item {
  const after = { ...item };
  const touched = new Set<string>();
  const nameOf = (placeholder: string): string => {
    const name = given.names[placeholder] ?? '';
    if (touched.has(name)) throw new Uncomputable('Two document paths overlap with each other');
    touched.add(name);
    return name;
  };
  for (const { name, to } of expression.set) after[nameOf(name)] = valueOf(to, item, given);
  for (const placeholder of expression.remove) delete after[nameOf(placeholder)];
  for (const { name: placeholder, by } of expression.add) {
    const name = nameOf(placeholder);
    after[name] = total(item[name] ?? 0, read(by, item, given));
  }
  return after;
}

function valueOf(to: Assigned, item: Item, given: Placeholders): unknown {
  if ('sum' in to) {
    const [left, right] = to.sum;
    return total(read(left, item, given), read(right, item, given));
  }
  const value =
    'first' in to
      ? (read(to.first[0], item, given) ?? read(to.first[1], item, given))
      : read(to, item, given);
  if (value === undefined) throw new Uncomputable('refers to an attribute that does not exist in the item');
  return value;
}

function total(left: unknown, right: unknown): number {
  if (typeof left !== 'number' || typeof right !== 'number') {
    throw new Uncomputable('An operand in the update expression has an incorrect data type');
  }
  return left + right;
}
