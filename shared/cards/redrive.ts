/** A dead card back to the queue that it died in: at the bottom, its attempts begun anew; runs and fence go on. */
import { findColumn } from '../columns.ts';
import { problem } from '../errors.ts';
import { mustAllow, note } from '../jobs.ts';
import { entering } from '../model/hold.ts';
import type { Step } from './change.ts';
import { checkedInput } from './stand.ts';

export function redriven(reason?: string): Step {
  return async (draft) => {
    const { engine, by, before, now } = draft;
    mustAllow('redrive', draft.job);
    const { died_in, ...dead } = draft.job;
    const column = await findColumn(engine, died_in ?? dead.column_id);
    if (column === undefined || !column.queue || column.item.closing_at !== undefined) {
      throw problem(
        'conflict',
        'The queue that the card died in is gone or is no queue any more. Move the card to a queue instead.',
      );
    }
    const { job, card } = checkedInput(dead, draft.card, column);
    const entered = entering(job, column, now, () => engine.deps.random());
    const why = reason === undefined ? {} : { reason };
    const events = [...draft.events, note('card.redriven', by, before.job, why)];
    if (entered.state === 'ready') events.push(note('card.ready', by, before.job));
    return { ...draft, job: entered, card, op: 'redrive', events, edited: true };
  };
}
