/** Pausing and resuming a queue: one change with two directions. */
import { mustBeOpen, toColumn } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { columnView, type ColumnView } from '../views/board.ts';
import { columnWrite, editBoard } from './edit-board.ts';
import { columnNow } from './read-now.ts';

/** Paused or resumed already: the column as it is, and no event. */
export async function setPaused(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
  paused: boolean,
): Promise<ColumnView> {
  return editBoard<ColumnView>(engine, caller, input.board, async (board) => {
    mustBeOpen(board);
    const column = await columnNow(engine, board, input.column);
    if (paused === column.paused) return { answer: columnView(column) };
    if (paused && !column.queue) {
      throw problem('contract_disabled', `'${column.item.name}' is no queue, so there is nothing to pause.`);
    }
    const { paused: _paused, ...item } = column.item;
    const { write, after } = columnWrite(engine, column.item, paused ? { ...item, paused } : item);
    return {
      after: board.item,
      op: paused ? 'pause_column' : 'resume_column',
      events: [
        {
          type: paused ? 'column.paused' : 'column.resumed',
          by: actorOf(caller),
          column_id: column.column_id,
        },
      ],
      also: [write],
      columnIds: [column.column_id],
      result: () => columnView(toColumn(after)),
    };
  });
}
