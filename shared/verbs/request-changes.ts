/** Request changes: a reviewer sends the card back to its implementer, who spends no attempt on that. */
import { cardWrites } from '../cards/content.ts';
import { boardFor } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { leaseNote, note } from '../jobs.ts';
import { closeLease, type Ending, type Hold, type LeaseInput } from '../lease.ts';
import { withoutHold } from '../model/hold.ts';
import { sentBack } from '../reviews/send-back.ts';
import type { RequestChangesBody } from '../schemas/reviews.ts';
import { workedBy } from '../stages.ts';

/**
 * Answers the card and its run. The card is back in the column that it came from, for `changes_reserved_seconds`
 * of that column's contract its implementer's alone, then anybody's.
 */
export async function requestChanges(engine: Engine, caller: Caller, input: RequestChangesBody & LeaseInput) {
  const { card, run } = await closeLease(engine, caller, input, 'request_changes', (hold) =>
    verdict(hold, caller, input.reason),
  );
  return { card, run };
}

async function verdict(hold: Hold, caller: Caller, reason: string): Promise<Ending> {
  const { engine, job, card, agent, now } = hold;
  const board = await boardFor(engine, caller, job.board_id);
  const back = await sentBack({ engine, board, job: withoutHold(job), card, now });
  const by = { type: 'agent' as const, id: agent };
  return {
    after: workedBy(back.job, caller, agent),
    closing: { outcome: 'changes_requested', error: reason },
    events: [note('card.changes_requested', by, job, { ...leaseNote(job), reason })],
    also: [...cardWrites(card, back.card), ...back.also],
    cardAfter: back.card,
  };
}
