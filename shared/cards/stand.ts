/** Where a card stands after its facts have changed in place. */
import { findColumn } from '../columns.ts';
import { inputErrors, withInput } from '../claim/input.ts';
import type { Column } from '../columns.ts';
import { inLane, settle } from '../model/settle.ts';
import type { Card, Job } from '../store/items.ts';
import type { Draft } from './change.ts';

/** States that follow from a card's facts; the others were brought about by a verb and stay until another. */
const DERIVED = new Set<Job['state']>(['idle', 'waiting', 'ready']);

/**
 * The draft with its job in the lane that its facts call for. A held card keeps its alarm: its place is looked
 * up anew when its hold ends.
 */
export async function standing(draft: Draft): Promise<Draft> {
  const { job, now, engine } = draft;
  if (job.state === 'leased') return draft;
  if (!DERIVED.has(job.state)) return { ...draft, job: inLane(job) };
  const column = await findColumn(engine, job.column_id);
  return { ...draft, job: column === undefined ? inLane(job) : settle(job, column, now) };
}

/** Job and card with the properties held against the column's input schema; not settled yet. */
export function checkedInput(job: Job, card: Card, column: Column): { job: Job; card: Card } {
  const errors = inputErrors(column, card.properties);
  const { input_errors: _errors, ...rest } = card;
  return {
    job: withInput(job, column, errors),
    card: errors.length === 0 ? rest : { ...rest, input_errors: [...errors] },
  };
}
