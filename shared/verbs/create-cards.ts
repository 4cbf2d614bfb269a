/** Create up to a hundred cards in one call, each by itself. */
import { AnswerRoom } from '../answer-room.ts';
import { createOne, type CreatedCard } from '../cards/create.ts';
import { takeNumbers } from '../cards/numbers.ts';
import { openBoard } from '../cards/read.ts';
import { eachRow, refusedRow, type Refused } from '../cards/rows.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem, type Problem } from '../errors.ts';
import type { Repeatable, Replayable } from '../idempotency.ts';
import { CreateCardBody, type CreateCardsBody } from '../schemas/cards.ts';
import { parseInput } from '../schemas/parse-input.ts';
import type { Traced } from '../trace-context.ts';

type Row = { readonly index: number; readonly status: number } & (
  | { readonly card: CreatedCard }
  | { readonly error: Refused['error'] }
);

const FOUND = 200;
const CREATED = 201;

/**
 * Answers one item a row, in order: its card with 201 (200 when deduplicated), or why it was refused. Rows that
 * a repeat finds recorded are answered as they are; the others are tried again.
 */
export async function createCards(
  engine: Engine,
  caller: Caller,
  input: CreateCardsBody & Traced & { board: string },
  repeat: Repeatable | null,
): Promise<Replayable<{ items: Row[] }>> {
  const board = await openBoard(engine, caller, input.board);
  const first = takeNumbers(engine, board, input.cards.length);
  first.catch(() => undefined); // Each row hears of it; none may leave it unheard.
  const { traceparent } = input;
  const answers = await eachRow(input.cards, async (row, index) => {
    const body = parseInput(CreateCardBody, row);
    if (body === undefined) throw new Error('A row has a schema');
    const number = async () => (await first) + index;
    const made = await createOne({ engine, caller, board, body, number, repeat, traceparent, row: index });
    const status = made.value.deduplicated ? FOUND : CREATED;
    return { status, card: made.value, replayed: made.replayed };
  });
  const items = inRoom(
    answers.map((answer, index) => {
      if ('error' in answer) return { index, status: answer.status, error: answer.error };
      return { index, status: answer.status, card: answer.card };
    }),
  );
  const done = answers.filter((answer) => 'card' in answer);
  const replayed = done.length > 0 && done.every((answer) => answer.replayed);
  return { value: { items }, created: done.length > 0, replayed };
}

/**
 * New cards are as large as their request and fit. Those that were there before may have grown since: what the answer
 * has no room for is told by its id.
 */
function inRoom(rows: readonly Row[]): Row[] {
  const room = new AnswerRoom();
  const isNew = (row: Row): boolean => row.status === CREATED;
  const taken = new Set(
    [...rows.filter(isNew), ...rows.filter((row) => !isNew(row))].filter((row) => room.takes(row)),
  );
  return rows.map((row) => {
    if (!('card' in row) || isNew(row) || taken.has(row)) return row;
    const { index, card } = row;
    return { index, ...refusedRow(tooLarge(card.id)) };
  });
}

const tooLarge = (cardId: string): Problem =>
  problem(
    'payload_too_large',
    `The card ${cardId} is there already, and this answer has no room for it. GET /v1/cards/${cardId} has it.`,
  );
