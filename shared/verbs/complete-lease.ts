/** Complete: the work is done. One atomic write closes the run, patches the card, moves it and ends the lease. */
import { inputErrors, inputErrorsWrite, withInput } from '../claim/input.ts';
import type { Column } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { note, leaseNote, readJob } from '../jobs.ts';
import { validateValue } from '../json-schema/validate-value.ts';
import { closeLease, targetColumn, type Ending, type Hold, type LeaseInput } from '../lease.ts';
import { doneInPlace, entering } from '../model/hold.ts';
import { mergeProperties } from '../properties.ts';
import type { CompleteBody } from '../schemas/leases.ts';
import { toJsonText, type Card, type Job } from '../store/items.ts';
import { cardKey } from '../store/keys.ts';
import type { Write } from '../store/params.ts';

/**
 * Answers the card and its run. Refuses with `output_invalid` when the output does not fit the contract's
 * schema: the lease stays, so the worker can mend it and complete again.
 */
export async function completeLease(engine: Engine, caller: Caller, input: CompleteBody & LeaseInput) {
  const { card, run } = await closeLease(engine, caller, input, 'complete', (hold) =>
    completion(hold, input),
  );
  return { card, run };
}

async function completion(hold: Hold, input: CompleteBody): Promise<Ending> {
  const { engine, job, card, column, now, agent } = hold;
  checkOutput(column, input.output ?? null);
  await mustExist(hold, input.created_cards ?? []);
  const properties =
    input.properties === undefined ? card.properties : mergeProperties(card.properties, input.properties);
  const target = await successColumn(hold, input.column_id);
  const errors = target === null ? [] : inputErrors(target, properties);
  const done: Job = { ...job, done_run: job.run, prev_agent: agent };
  const after =
    target === null
      ? doneInPlace(done, now)
      : entering(withInput({ ...done, from_column_id: job.column_id }, target, errors), target, now, () =>
          engine.deps.random(),
        );
  const shown = inputErrorsWrite(card, errors);
  return {
    after,
    closing: {
      outcome: 'completed',
      ...(input.output === undefined ? {} : { output: input.output }),
      ...(input.summary === undefined ? {} : { summary: input.summary }),
      ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    },
    events: [note('card.lease.completed', { type: 'agent', id: agent }, job, leaseNote(job))],
    also: cardWrite(card, properties, shown),
    cardAfter: { ...card, properties, ...(errors.length > 0 ? { input_errors: [...errors] } : {}) },
  };
}

/** Where the contract or the request sends a completed card; null to be done in place. */
async function successColumn(hold: Hold, asked: string | undefined): Promise<Column | null> {
  const id = asked ?? hold.column.contract.on_success_column_id;
  return id === null ? null : targetColumn(hold.engine, hold.job.board_id, id);
}

function checkOutput(column: Column, output: unknown): void {
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
    'The output does not fit the output schema; the lease stays yours. Mend it and complete again.',
    {
      errors: verdict.errors.map(({ path, message }) => ({ path: `/output${path}`, message })),
    },
  );
}

/** Cards that a worker says it created must be there: a made-up id would be a hand-off into nothing. */
async function mustExist(hold: Hold, cardIds: readonly string[]): Promise<void> {
  const jobs = await Promise.all(cardIds.map((id) => readJob(hold.engine, id)));
  const errors = jobs.flatMap((job, at) =>
    job?.board_id === hold.job.board_id && job.state !== 'deleted'
      ? []
      : [{ path: `/created_cards/${at}`, message: `There is no card '${cardIds[at]}' on this board.` }],
  );
  if (errors.length > 0)
    throw problem('validation_failed', 'A created card does not exist; the lease stays.', { errors });
}

/** CARD's write, one for both reasons: changed properties and the errors of the next column's schema. */
function cardWrite(card: Card, properties: Card['properties'], shown: Write | null): Write[] {
  const changed = JSON.stringify(properties) !== JSON.stringify(card.properties);
  if (!changed) return shown === null ? [] : [shown];
  const errors = shown?.kind === 'update' ? shown : { set: {}, remove: [] };
  return [
    {
      kind: 'update',
      key: cardKey(card.pk),
      set: { properties: toJsonText(properties), ...errors.set },
      remove: errors.remove,
    },
  ];
}
