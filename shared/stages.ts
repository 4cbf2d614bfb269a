/**
 * The end of a stage, whoever brings it about: what the output must be, where the card goes, and how it begins
 * there. One rule for a worker's completion, a person's, and a review.
 */
import { checkedInput } from './cards/stand.ts';
import type { Column } from './columns.ts';
import type { Caller, Engine } from './engine.ts';
import { problem } from './errors.ts';
import { validateValue } from './json-schema/validate-value.ts';
import { targetColumn } from './columns.ts';
import { doneInPlace, entering } from './model/hold.ts';
import type { Card, Job } from './store/items.ts';

/** A card at the end of the stage that `column` is. */
export interface Stage {
  readonly engine: Engine;
  readonly job: Job;
  readonly card: Card;
  readonly column: Column;
  readonly now: number;
}

export interface Passed {
  readonly job: Job;
  readonly card: Card;
}

/** Refuses an output that does not fit the contract's schema; left out, it is null. */
export function checkOutput(column: Column, output: unknown): void {
  const schema = column.contract.output_schema;
  if (schema === null) return;
  const verdict = validateValue(schema, output);
  if (verdict.ok) return;
  if ('tooExpensive' in verdict) {
    throw problem(
      'schema_too_expensive',
      "Checking the output against the column's output schema takes too long.",
    );
  }
  throw problem(
    'output_invalid',
    'The output does not fit the output schema, and nothing was changed: a lease stays. Mend it and complete again.',
    {
      errors: verdict.errors.map(({ path, message }) => ({ path: `/output${path}`, message })),
    },
  );
}

/** Where the contract or the request sends a completed card; null to be done in place. */
export async function successColumn(engine: Engine, column: Column, asked?: string): Promise<Column | null> {
  const id = asked ?? column.contract.on_success_column_id;
  return id === null ? null : targetColumn(engine, column.board_id, id);
}

/** The completed card, in the success column or done in place. What it was blocked for no longer counts. */
export function completed(stage: Stage, target: Column | null): Passed {
  const { blocks: _blocks, ...job } = stage.job;
  if (target !== null) return passedOn({ ...stage, job }, target);
  const { block: _block, not_before: _before, died_in: _died, ...rest } = job;
  const { block_reason: _reason, ...card } = stage.card;
  return { job: doneInPlace({ ...rest, column_id: stage.column.column_id }, stage.now), card };
}

/** The card at the bottom of another column, which remembers where it comes from. */
export function passedOn({ engine, job, card, column, now }: Stage, target: Column): Passed {
  const { block_reason: _reason, ...content } = card;
  const checked = checkedInput({ ...job, from_column_id: column.column_id }, content, target);
  return { job: entering(checked.job, target, now, () => engine.deps.random()), card: checked.card };
}

/**
 * Who worked in the stage that ends: for four eyes, and for changes that are asked for. A worker names itself at its
 * claim, and need not do so again with every call: only the token's own name says nothing.
 */
export function workedBy(job: Job, caller: Caller, agent: string): Job {
  const { prev_unnamed: _unnamed, ...rest } = job;
  const named = caller.agent === agent || agent !== caller.tokenName;
  return { ...rest, prev_agent: agent, ...(named ? {} : { prev_unnamed: true }) };
}
