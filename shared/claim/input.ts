/**
 * A card's input, checked against the column's input schema: when it is written, when it enters the column, and
 * again by the claim that meets it after the schema changed.
 */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { readCard, writeChange } from '../jobs.ts';
import { allows } from '../lifecycle.ts';
import type { FieldFault } from '../errors.ts';
import { validateValue } from '../json-schema/validate-value.ts';
import { settle } from '../model/settle.ts';
import type { Card, Job } from '../store/items.ts';
import { cardKey } from '../store/keys.ts';
import type { Update } from '../store/params.ts';

/** What is wrong with `properties` as a card of this column; empty when they fit. */
export function inputErrors(column: Column, properties: Record<string, unknown>): readonly FieldFault[] {
  const schema = column.contract.input_schema;
  if (!column.queue || schema === null) return [];
  const verdict = validateValue(schema, properties);
  if (verdict.ok) return [];
  if ('tooExpensive' in verdict) {
    return [{ path: '', message: 'The properties take too long to check against the input schema' }];
  }
  return verdict.errors.map(({ path, message }) => ({ path, message }));
}

/** The job with the outcome of the check noted, not yet settled. */
export function withInput(job: Job, column: Column, errors: readonly FieldFault[]): Job {
  const { input_bad: _bad, input_no: _no, ...rest } = job;
  if (!column.queue || column.contract.input_schema === null) return rest;
  const checked: Job = { ...rest, input_no: column.item.schema_no };
  return errors.length > 0 ? { ...checked, input_bad: true } : checked;
}

/** CARD's write that shows the errors, or takes them away; null when nothing changes. */
export function inputErrorsWrite(card: Card, errors: readonly FieldFault[]): Update | null {
  if (errors.length === 0 && card.input_errors === undefined) return null;
  const key = cardKey(card.pk);
  return errors.length === 0
    ? { kind: 'update', key, set: {}, remove: ['input_errors'] }
    : { kind: 'update', key, set: { input_errors: errors }, remove: [] };
}

/**
 * Checks a card that nobody holds against the present schema and notes the outcome: passed, it carries the
 * schema's number; failed, it waits on `input` with the errors shown. True when it passed.
 */
export async function checkInput(engine: Engine, column: Column, seen: Job): Promise<boolean> {
  const read = await readCard(engine, seen.pk);
  if (read === undefined || read.job.sequence !== seen.sequence) return false;
  // The index may show for a while what has left the column: noted here, it would be moved back.
  if (read.job.column_id !== column.column_id || !allows('check_input', read.job.state)) return false;
  const errors = inputErrors(column, read.card.properties);
  const after = settle(withInput(read.job, column, errors), column, engine.deps.now());
  const shown = inputErrorsWrite(read.card, errors);
  const change = { op: 'check_input' as const, before: read.job, after, events: [] };
  const outcome = await writeChange(engine, change, shown === null ? [] : [shown]);
  return outcome.done && errors.length === 0;
}
