/** A dead card back to the queue that it died in: at the bottom, its attempts begun anew; runs and fence go on. */
import { inputErrors, inputErrorsWrite, withInput } from './claim/input.ts';
import { findColumn, mayKnow } from './columns.ts';
import { actorOf, type Caller, type Engine } from './engine.ts';
import { notFound, problem } from './errors.ts';
import { decideUntilWritten, mustAllow, note, readCard, type Decision } from './jobs.ts';
import { entering } from './model/hold.ts';
import type { Card, Job } from './store/items.ts';

export async function redriveJob(
  engine: Engine,
  caller: Caller,
  cardId: string,
): Promise<{ job: Job; card: Card }> {
  return decideUntilWritten(engine, async (): Promise<Decision<{ job: Job; card: Card }>> => {
    const read = await readCard(engine, cardId);
    if (read === undefined || !mayKnow(caller, read.job.board_id)) throw notFound('card', cardId);
    const { job, card } = read;
    mustAllow('redrive', job);
    const column = await findColumn(engine, job.died_in ?? job.column_id);
    if (column === undefined || !column.queue) {
      throw problem('conflict', 'The queue that the card died in is gone or is no queue any more. Move the card to a queue instead.');
    }
    const now = engine.deps.now();
    const errors = inputErrors(column, card.properties);
    const { died_in: _diedIn, ...rest } = job;
    const after = entering(withInput(rest, column, errors), column, now, () => engine.deps.random());
    const by = actorOf(caller);
    const events = [note('card.redriven', by, job)];
    if (after.state === 'ready') events.push(note('card.ready', by, job));
    const shown = inputErrorsWrite(card, errors);
    return {
      change: { op: 'redrive', before: job, after: { ...after, rev: job.rev + 1 }, events },
      also: shown === null ? [] : [shown],
      result: (written) => ({ job: written, card }),
    };
  });
}
