/** Change what people set of a board. */
import { cappedWrites } from '../boards/cap-columns.ts';
import { editBoard } from '../boards/edit-board.ts';
import { mustBeOpen } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { withFields } from '../fields.ts';
import type { UpdateBoardBody } from '../schemas/boards.ts';
import { retentionWrites } from '../retention/register.ts';
import { boardView, type BoardView } from '../views/board.ts';

/** `null` takes a field away; what is left out stays. */
export async function updateBoard(
  engine: Engine,
  caller: Caller,
  input: { board: string } & UpdateBoardBody,
): Promise<BoardView> {
  const { board: id, ...fields } = input;
  return editBoard<BoardView>(engine, caller, id, (board) => {
    mustBeOpen(board);
    const after = withFields(board.item, fields);
    if (after === board.item) return { answer: boardView(board) };
    const capped = after.max_in_progress !== board.item.max_in_progress;
    return {
      after,
      also: [
        ...(capped ? cappedWrites(engine, board, after.max_in_progress) : []),
        ...retentionWrites(engine, board.item, after),
      ],
      columnIds: capped ? board.item.column_ids : [],
      op: 'update',
      events: [{ type: 'board.updated', by: actorOf(caller) }],
      result: boardView,
    };
  });
}
