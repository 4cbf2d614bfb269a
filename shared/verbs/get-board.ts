/** One board: its columns in order with their contracts, and how many cards stand in each state. */
import { boardNow, columnsNow } from '../boards/read-now.ts';
import { columnCounts, sumCounts } from '../boards/state-counts.ts';
import type { Caller, Engine } from '../engine.ts';
import { makeFeedCursor, recentPosition } from '../events/read-feed.ts';
import { boardDetail, type BoardDetail } from '../views/board.ts';

export async function getBoard(
  engine: Engine,
  caller: Caller,
  input: { board: string },
): Promise<BoardDetail> {
  const board = await boardNow(engine, caller, input.board);
  const [position, columns] = await Promise.all([
    recentPosition(engine.store, board.id, engine.deps.now()),
    columnsNow(engine, board),
  ]);
  const counted = await Promise.all(
    columns.map(async (column) => ({ column, cards: await columnCounts(engine, column.column_id) })),
  );
  const cards = sumCounts(counted.map((column) => column.cards));
  return boardDetail(board, counted, cards, makeFeedCursor(board.id, position));
}
