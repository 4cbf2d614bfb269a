/** Complete: the work is done. One atomic write closes the run, patches the card, moves it and ends the lease. */
import { mustHaveArtifacts } from '../attachments/artifacts.ts';
import { cardWrites } from '../cards/content.ts';
import { mustHaveNoOpenParents } from '../cards/parents.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { note, leaseNote } from '../jobs.ts';
import { closeLease, type Ending, type Hold, type LeaseInput } from '../lease.ts';
import { readKnown } from '../links/read-known.ts';
import { mergeProperties } from '../properties.ts';
import type { CompleteBody } from '../schemas/leases.ts';
import { checkOutput, completed, successColumn, workedBy } from '../stages.ts';

/**
 * Answers the card and its run. Refuses with `output_invalid` when the output does not fit the contract's schema,
 * with `parents_open` when a parent was opened again, and with `artifact_missing` when a declared artifact is not
 * there: the lease stays, so the worker can complete later.
 */
export async function completeLease(engine: Engine, caller: Caller, input: CompleteBody & LeaseInput) {
  const { card, run } = await closeLease(engine, caller, input, 'complete', (hold) =>
    completion(hold, caller, input),
  );
  return { card, run };
}

async function completion(hold: Hold, caller: Caller, input: CompleteBody): Promise<Ending> {
  const { engine, job, card, column, now, agent } = hold;
  checkOutput(column, input.output ?? null);
  await Promise.all([
    mustHaveNoOpenParents(engine, job),
    mustHaveArtifacts(engine, job.pk, input.artifacts ?? []),
    mustExist(hold, input.created_cards ?? []),
  ]);
  const properties =
    input.properties === undefined ? card.properties : mergeProperties(card.properties, input.properties);
  const done = workedBy({ ...job, done_run: job.run }, caller, agent);
  const stage = { engine, job: done, card: { ...card, properties }, column, now };
  const passed = completed(stage, await successColumn(engine, column, input.column_id));
  return {
    after: passed.job,
    closing: {
      outcome: 'completed',
      ...(input.output === undefined ? {} : { output: input.output }),
      ...(input.summary === undefined ? {} : { summary: input.summary }),
      ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    },
    events: [note('card.lease.completed', { type: 'agent', id: agent }, job, leaseNote(job))],
    also: cardWrites(card, passed.card),
    cardAfter: passed.card,
  };
}

/** Cards that a worker says it created must be there: a made-up id would be a hand-off into nothing. */
async function mustExist(hold: Hold, cardIds: readonly string[]): Promise<void> {
  const known = await readKnown(hold.engine, cardIds, hold.job.board_id);
  const errors = cardIds.flatMap((id, at) =>
    known.has(id)
      ? []
      : [{ path: `/created_cards/${at}`, message: `There is no card '${id}' on this board.` }],
  );
  const [first] = errors;
  if (first !== undefined)
    throw problem('validation_failed', `${first.message} The lease stays.`, { errors });
}
