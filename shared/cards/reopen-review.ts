/** A person sends a card back that stands in review and that nobody is reviewing at the moment. */
import { columnOfDraft, type Step } from './change.ts';
import { problem } from '../errors.ts';
import { mustAllow, note } from '../jobs.ts';
import { sentBack } from '../reviews/send-back.ts';
import { mustBeFree } from './free.ts';
import { closePersonRun } from './person-run.ts';

export function reviewReopened(reason?: string): Step {
  return async (draft) => {
    mustBeFree(draft.job, draft.now);
    const column = await columnOfDraft(draft);
    if (column?.role !== 'review') {
      throw problem('conflict', 'The card is not in review. Move it where it should go instead.');
    }
    mustAllow('reopen_review', draft.job);
    const { engine, board, by, before, now } = draft;
    const { draft: free, noted } = closePersonRun(draft, {
      outcome: 'changes_requested',
      verb: 'reopen_review',
      ...(reason === undefined ? {} : { error: reason }),
    });
    const back = await sentBack({ engine, board, job: free.job, card: free.card, now });
    const why = reason === undefined ? {} : { reason };
    return {
      ...free,
      job: back.job,
      card: back.card,
      op: 'reopen_review',
      events: [...free.events, note('card.changes_requested', by, before.job, { ...noted, ...why })],
      also: [...free.also, ...back.also],
      edited: true,
    };
  };
}
