/** A mutant at work: it stands before the table and changes the writes of its row on their way. */
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Op } from '../../../shared/lifecycle.ts';
import type { Conditional, PutInput, TransactPart, UpdateInput } from '../table/commands.ts';
import type { Serve } from '../table/memory-client.ts';
import type { MemoryTable } from '../table/memory-table.ts';
import { CLAUSE_TEXT, type Mutant } from './mutant.ts';

/** Told of each write of a card: its row, and what it sets. */
export type Witness = (op: string, attributes: readonly string[]) => void;

/** Changes the mutant's writes, and counts them in `applied`. */
export function mutating(mutant: Mutant, applied: { count: number }) {
  return (serve: Serve, table: MemoryTable): Serve =>
    rewriting(serve, {
      update: (input) => {
        if (opOf(table, input) !== mutant.op) return input;
        const changed =
          mutant.kind === 'unset' ? withoutSet(input, mutant.attribute) : mutated(input, mutant);
        if (changed !== input) applied.count += 1;
        return changed;
      },
      put: (input) => {
        if (input.Item?.['sk'] !== 'JOB' || input.Item['op'] !== mutant.op || mutant.kind === 'unset')
          return input;
        const changed = mutated(input, mutant);
        if (changed !== input) applied.count += 1;
        return changed;
      },
    });
}

/** Changes nothing. */
export function witnessing(witness: Witness) {
  return (serve: Serve, table: MemoryTable): Serve =>
    rewriting(serve, {
      put: (input) => {
        if (input.Item?.['sk'] === 'JOB') witness(String(input.Item['op']), []);
        return input;
      },
      update: (input) => {
        const op = opOf(table, input);
        if (op !== null) witness(op, attributesOf(input));
        return input;
      },
    });
}

interface Rewrite {
  readonly update: (input: UpdateInput) => UpdateInput;
  readonly put: (input: PutInput) => PutInput;
}

function rewriting(serve: Serve, { update, put }: Rewrite): Serve {
  return (command) => {
    if (command instanceof UpdateCommand) {
      return serve(new UpdateCommand({ ...command.input, ...defined(update(command.input)) }));
    }
    if (command instanceof PutCommand)
      return serve(new PutCommand({ ...command.input, ...defined(put(command.input)) }));
    if (command instanceof TransactWriteCommand) {
      const TransactItems = (command.input.TransactItems ?? []).map((part: TransactPart) => ({
        ...part,
        ...(part.Update === undefined ? {} : { Update: update(part.Update) }),
        ...(part.Put === undefined ? {} : { Put: put(part.Put) }),
      }));
      const { input } = command;
      return serve(
        new TransactWriteCommand({ ...input, TransactItems: TransactItems as typeof input.TransactItems }),
      );
    }
    return serve(command);
  };
}

const defined = (input: Conditional): object => ({
  ...input,
  ConditionExpression: input.ConditionExpression,
});

/** The row of a card's update: what it says it is, or, where that is what the write before was, what the card says. */
function opOf(table: MemoryTable, input: UpdateInput): Op | null {
  const key = input.Key;
  if (key?.['sk'] !== 'JOB') return null;
  if (input.ConditionExpression?.includes('#staged') === true) return 'unstage';
  const said = input.ExpressionAttributeValues?.[':s_op'];
  const op = said ?? table.get({ pk: String(key['pk']), sk: 'JOB' })?.['op'];
  return typeof op === 'string' ? (op as Op) : null;
}

function mutated<T extends Conditional>(
  input: T,
  { kind, clause }: Extract<Mutant, { kind: 'drop' | 'invert' }>,
): T {
  const text = input.ConditionExpression ?? '';
  const found = CLAUSE_TEXT[clause].exec(text)?.[0];
  if (found === undefined) return input;
  if (kind === 'invert')
    return { ...input, ConditionExpression: text.replace(found, () => `NOT (${found})`) };
  const rest = text
    .replace(found, () => '')
    .split(' AND ')
    .filter((part) => part.trim() !== '')
    .join(' AND ');
  return { ...input, ConditionExpression: rest === '' ? undefined : rest.replace(/^ ?AND | ?AND $/g, '') };
}

/** Assignments of an update, each with the attribute that it sets. */
const ASSIGNMENT = /#([a-z_]+) = (?:if_not_exists\([^)]*\)|#[a-z_]+ \+ :a_[a-z_]+|:s_[a-z_]+)/g;

export const attributesOf = (input: UpdateInput): string[] =>
  [...(input.UpdateExpression ?? '').matchAll(ASSIGNMENT)].map((match) => match[1] ?? '');

function withoutSet(input: UpdateInput, attribute: string): UpdateInput {
  const text = input.UpdateExpression ?? '';
  const assignments = [...text.matchAll(ASSIGNMENT)];
  const kept = assignments.filter((match) => match[1] !== attribute).map(([assignment]) => assignment);
  if (kept.length === assignments.length || kept.length === 0) return input;
  const rest = text.replace(/^SET .*?(?=$| REMOVE | ADD )/, () => `SET ${kept.join(', ')}`);
  return { ...input, UpdateExpression: rest };
}
