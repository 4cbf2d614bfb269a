/** Change a column's name, role or wip limit, or its place on the board. */
import { withColumnAt } from '../boards/column-order.ts';
import { columnWrite, editBoard } from '../boards/edit-board.ts';
import { columnNow } from '../boards/read-now.ts';
import { mustBeOpen, toColumn, type Column } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { withFields } from '../fields.ts';
import { cardsIn } from '../going-away/close-column.ts';
import type { ColumnRole } from '../model/states.ts';
import type { UpdateColumnBody } from '../schemas/columns.ts';
import { columnView, type ColumnView } from '../views/board.ts';

export async function updateColumn(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string } & UpdateColumnBody,
): Promise<ColumnView> {
  const { board: boardId, column: columnId, before, after: behind, ...fields } = input;
  return editBoard<ColumnView>(engine, caller, boardId, async (board) => {
    mustBeOpen(board);
    const column = await columnNow(engine, board, columnId);
    await mayTakeRole(engine, column, fields.role ?? column.role);
    const moves = before !== undefined || behind !== undefined;
    const changed = withFields(column.item, fields);
    if (!moves && changed === column.item) return { answer: columnView(column) };
    const { write, after } = columnWrite(engine, column.item, changed);
    const column_ids = moves
      ? withColumnAt(board.item.column_ids, columnId, { before, after: behind })
      : board.item.column_ids;
    return {
      after: { ...board.item, column_ids },
      op: 'update_column',
      events: [{ type: 'column.updated', by: actorOf(caller), column_id: columnId }],
      also: [write],
      columnIds: [columnId],
      result: () => columnView(toColumn(after)),
    };
  });
}

/**
 * A card is done by entering a column with role `done`. Were the role to change over cards that are there, they
 * would be done without ever having been finished, or finished and not done.
 */
async function mayTakeRole(engine: Engine, column: Column, role: ColumnRole): Promise<void> {
  if (role === column.role || (role !== 'done' && column.role !== 'done')) return;
  if (column.queue) {
    throw problem(
      'conflict',
      `'${column.item.name}' is a queue, and a queue cannot have the role done. Disable its contract first.`,
    );
  }
  if ((await cardsIn(engine, column.column_id, 1)).length > 0) {
    throw problem(
      'conflict',
      `'${column.item.name}' has cards, which the role done would change. Move them first.`,
    );
  }
}
