/**
 * Parameters of writes: pure builders, no sending. An update is the difference of two items, so that a verb
 * computes the item it wants and attributes that it does not touch (a renewal's, a newer version's) stay.
 */
import type { Expression } from './conditions.ts';
import type { Key } from './keys.ts';

export type Item = Record<string, unknown>;

export interface Put {
  readonly kind: 'put';
  readonly item: Item & Key;
  readonly condition?: Expression;
}
export interface Update {
  readonly kind: 'update';
  readonly key: Key;
  readonly set: Item;
  readonly remove: readonly string[];
  /** Attributes raised by a number: `attempt`, `sequence` where the item was not read. */
  readonly add?: Readonly<Record<string, number>>;
  /** Attributes counted up from nothing: the item need not be there. */
  readonly tally?: Readonly<Record<string, number>>;
  /** Attributes copied from another of the same item, with a default. */
  readonly copy?: Readonly<Record<string, { from: string; default: unknown }>>;
  readonly condition?: Expression;
}
export interface Delete {
  readonly kind: 'delete';
  readonly key: Key;
  readonly condition?: Expression;
}
export type Write = Put | Update | Delete;

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The update that turns `before` into `after`; keys are never part of it. */
export function difference(before: Item, after: Item): { set: Item; remove: string[] } {
  const set: Item = {};
  const remove: string[] = [];
  for (const [name, value] of Object.entries(after)) {
    if (name !== 'pk' && name !== 'sk' && value !== undefined && !same(before[name], value))
      set[name] = value;
  }
  for (const name of Object.keys(before)) {
    if (after[name] === undefined && before[name] !== undefined) remove.push(name);
  }
  return { set, remove };
}

interface UpdateText {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

/** Update and condition in DynamoDB's notation. */
export function updateText(update: Update): UpdateText {
  const names: Record<string, string> = {};
  const values: Item = {};
  const assignments: string[] = [];
  const named = (name: string): string => {
    names[`#${name}`] = name;
    return `#${name}`;
  };
  for (const [name, value] of Object.entries(update.set)) {
    values[`:s_${name}`] = value;
    assignments.push(`${named(name)} = :s_${name}`);
  }
  for (const [name, value] of Object.entries(update.add ?? {})) {
    values[`:a_${name}`] = value;
    assignments.push(`${named(name)} = ${named(name)} + :a_${name}`);
  }
  for (const [name, source] of Object.entries(update.copy ?? {})) {
    values[`:d_${name}`] = source.default;
    assignments.push(`${named(name)} = if_not_exists(${named(source.from)}, :d_${name})`);
  }
  const tallies = Object.entries(update.tally ?? {}).map(([name, value]) => {
    values[`:t_${name}`] = value;
    return `${named(name)} :t_${name}`;
  });
  const removals = update.remove.map(named);
  const sections = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
    ...(tallies.length > 0 ? [`ADD ${tallies.join(', ')}`] : []),
  ];
  Object.assign(names, update.condition?.names);
  Object.assign(values, update.condition?.values);
  return {
    UpdateExpression: sections.join(' '),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  };
}

/** Condition alone, for puts and deletes. Always asks for the item that refused it. */
export function conditionText(condition: Expression | undefined) {
  if (condition === undefined) return {};
  return {
    ConditionExpression: condition.text,
    ExpressionAttributeNames: condition.names,
    ...(Object.keys(condition.values).length > 0 ? { ExpressionAttributeValues: condition.values } : {}),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

/** One write as a part of a transaction. */
export function transactItem(tableName: string, write: Write) {
  switch (write.kind) {
    case 'put':
      return { Put: { TableName: tableName, Item: write.item, ...conditionText(write.condition) } };
    case 'delete':
      return { Delete: { TableName: tableName, Key: { ...write.key }, ...conditionText(write.condition) } };
    case 'update':
      return {
        Update: {
          TableName: tableName,
          Key: { ...write.key },
          ...conditionText(write.condition),
          ...updateText(write),
        },
      };
  }
}
