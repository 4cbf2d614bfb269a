/** Do the same to up to a hundred cards, each all or nothing. */
import { archived } from '../cards/archive.ts';
import { blocked, unblocked } from '../cards/block.ts';
import { changeCard, type Step } from '../cards/change.ts';
import { completedByHand } from '../cards/complete.ts';
import { deleteOne } from '../cards/delete.ts';
import { edited } from '../cards/edit.ts';
import { moved } from '../cards/move.ts';
import { redriven } from '../cards/redrive.ts';
import { eachRow, type Refused } from '../cards/rows.ts';
import { findCard } from '../cards/read.ts';
import { AnswerRoom } from '../answer-room.ts';
import { boardFor } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import type { BulkCardsBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

type Row = { readonly id: string; readonly status: number } & (
  | { readonly card: CardView | null }
  | { readonly error: Refused['error'] }
);

const DONE = 200;
const GONE = 204;

/**
 * Answers one item a card, in the order of the ids: the card, null where it was deleted or the answer has no room for
 * it, or why it was refused.
 * What one row asks for (patch, move, verb) is one write.
 */
export async function bulkCards(
  engine: Engine,
  caller: Caller,
  input: BulkCardsBody & { board: string },
): Promise<{ items: Row[] }> {
  const board = await boardFor(engine, caller, input.board);
  const answers = await eachRow(input.ids, async (id) => {
    const { job } = await findCard(engine, caller, id);
    if (job.board_id !== board.id) throw notFound('card', id);
    if (input.verb === 'delete') {
      await deleteOne(engine, caller, id, input);
      return { status: GONE, card: null };
    }
    return { status: DONE, card: await changeCard(engine, caller, id, stepsOf(input)) };
  });
  const room = new AnswerRoom();
  const items = answers.map((answer, at): Row => {
    const row = { id: input.ids[at] ?? '', ...answer };
    // Done it is; whoever needs the card reads it by itself.
    return 'card' in row && !room.takes(row) ? { ...row, card: null } : row;
  });
  return { items };
}

/** The steps of a row, in this order: what is set, where it goes, what becomes of it. */
function stepsOf({ patch, move, verb, force, reason }: BulkCardsBody): Step[] {
  return [
    ...(patch === undefined ? [] : [edited(patch)]),
    ...(move === undefined ? [] : [moved({ ...move, force, reason })]),
    ...(verb === 'archive' ? [archived({ force, reason })] : []),
    ...(verb === 'complete' ? [completedByHand()] : []),
    ...(verb === 'block' ? [blocked({ reason: reason ?? '' })] : []),
    ...(verb === 'unblock' ? [unblocked(reason)] : []),
    ...(verb === 'redrive' ? [redriven(reason)] : []),
  ];
}
