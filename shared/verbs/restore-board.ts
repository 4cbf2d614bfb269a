/** Bring an archived board back, as it was. */
import { closedWrites } from '../boards/close-columns.ts';
import { editBoard } from '../boards/edit-board.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { boardView, type BoardView } from '../views/board.ts';

export async function restoreBoard(
  engine: Engine,
  caller: Caller,
  input: { board: string },
): Promise<BoardView> {
  return editBoard<BoardView>(engine, caller, input.board, (board) => {
    const { archived_at, ...after } = board.item;
    if (archived_at === undefined) return { answer: boardView(board) };
    return {
      after,
      op: 'restore',
      events: [{ type: 'board.updated', by: actorOf(caller) }],
      also: closedWrites(board, null),
      columnIds: board.item.column_ids,
      result: boardView,
    };
  });
}
