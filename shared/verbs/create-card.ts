/** Create a card, at the bottom of its column. */
import { createOne, type CreatedCard } from '../cards/create.ts';
import { takeNumbers } from '../cards/numbers.ts';
import { openBoard } from '../cards/read.ts';
import type { Caller, Engine } from '../engine.ts';
import type { Repeatable, Replayable } from '../idempotency.ts';
import type { CreateCardBody } from '../schemas/cards.ts';
import type { Traced } from '../trace-context.ts';

/**
 * Answers the card. Without `column_id` it goes to the board's first column with the role `todo`, or to the
 * first. An open card under the same `dedupe_key` is answered instead, `deduplicated`, and nothing is made.
 */
export async function createCard(
  engine: Engine,
  caller: Caller,
  input: CreateCardBody & Traced & { board: string },
  repeat: Repeatable | null,
): Promise<Replayable<CreatedCard>> {
  const board = await openBoard(engine, caller, input.board);
  const number = () => takeNumbers(engine, board, 1);
  const { traceparent } = input;
  return createOne({ engine, caller, board, body: input, number, repeat, traceparent, row: null });
}
