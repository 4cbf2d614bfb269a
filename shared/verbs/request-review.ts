/** Request review: the work is ready to be looked at, on the same card. Neither a block nor a spent attempt. */
import { firstOfRole } from '../blocks/block.ts';
import { cardWrites } from '../cards/content.ts';
import { boardFor, type Column } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { leaseNote, note } from '../jobs.ts';
import { closeLease, type Ending, type Hold, type LeaseInput } from '../lease.ts';
import type { RequestReviewBody } from '../schemas/reviews.ts';
import type { Job } from '../store/items.ts';
import { passedOn, workedBy } from '../stages.ts';

/**
 * Answers the card and its run. The card is for the `reviewer`, or for anybody; the review column's contract may
 * keep its implementer out (`exclude_previous_holder`). A reviewer's completion is the approval.
 */
export async function requestReview(engine: Engine, caller: Caller, input: RequestReviewBody & LeaseInput) {
  const { card, run } = await closeLease(engine, caller, input, 'request_review', (hold) =>
    handover(hold, caller, input),
  );
  return { card, run };
}

async function handover(hold: Hold, caller: Caller, input: RequestReviewBody): Promise<Ending> {
  const { engine, job, card, column, agent, now } = hold;
  const { summary, metadata, reviewer } = input;
  const target = await reviewColumn(hold, caller);
  const { assignee: _implementer, reserved_until: _until, ...free } = workedBy(job, caller, agent);
  const forReview: Job = reviewer === undefined ? free : { ...free, assignee: reviewer };
  const passed = passedOn({ engine, job: forReview, card, column, now }, target);
  return {
    after: passed.job,
    closing: {
      outcome: 'review_requested',
      summary,
      ...(metadata === undefined ? {} : { metadata }),
    },
    events: [note('card.review_requested', { type: 'agent', id: agent }, job, leaseNote(job))],
    also: cardWrites(card, passed.card),
    cardAfter: passed.card,
  };
}

async function reviewColumn({ engine, job, column }: Hold, caller: Caller): Promise<Column> {
  const board = await boardFor(engine, caller, job.board_id);
  const target = await firstOfRole(engine, board, 'review');
  if (target === undefined) {
    throw problem(
      'conflict',
      "The board has no column with the role 'review'. Add one, or complete the card instead.",
    );
  }
  if (target.column_id !== column.column_id) return target;
  throw problem(
    'conflict',
    'The card is in review already. Complete it to approve, or send it back with :request-changes.',
  );
}
