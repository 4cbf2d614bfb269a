/** Create a column. It is no queue until it is given a contract. */
import { boardCap } from '../boards/cap-columns.ts';
import { withColumnAt } from '../boards/column-order.ts';
import { editBoard } from '../boards/edit-board.ts';
import { columnPut, mustHaveRoom, newColumn } from '../boards/new-column.ts';
import { columnOf, forget, mustBeOpen, toColumn, type Board } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { findRecord, recordWrite, type Repeatable, type Replayable } from '../idempotency.ts';
import type { CreateColumnBody } from '../schemas/columns.ts';
import type { ColumnItem } from '../store/items.ts';
import { columnView, type ColumnView } from '../views/board.ts';

/** Beside the column that `before` or `after` names, else last. */
export async function createColumn(
  engine: Engine,
  caller: Caller,
  input: { board: string } & CreateColumnBody,
  repeat: Repeatable | null,
): Promise<Replayable<ColumnView>> {
  return editBoard<Replayable<ColumnView>>(engine, caller, input.board, async (board) => {
    // Looked up at each try: when an equal request was quicker, this one is its replay.
    const recorded = repeat === null ? undefined : await findRecord(engine, caller, repeat);
    if (recorded?.column_id !== undefined) return { answer: await replay(engine, board, recorded.column_id) };
    mustBeOpen(board);
    mustHaveRoom(board);
    const { name, role = 'plain', wip_limit } = input;
    const column = { ...newColumn(engine, board.id, { name, role, wip_limit }), ...boardCap(engine, board) };
    const record =
      repeat &&
      recordWrite(engine, caller, repeat, { board_id: board.id, column_id: column.pk, status: 201 });
    return {
      after: { ...board.item, column_ids: withColumnAt(board.item.column_ids, column.pk, input) },
      op: 'create_column',
      events: [{ type: 'column.created', by: actorOf(caller), column_id: column.pk }],
      also: [columnPut(column), ...(record === null ? [] : [record])],
      result: () => asCreated(column),
    };
  });
}

function asCreated(column: ColumnItem): Replayable<ColumnView> {
  return { value: columnView(toColumn(column)), created: true, replayed: false };
}

/** The board was read before the record, so that column may not be among its columns yet. */
async function replay(engine: Engine, board: Board, columnId: string): Promise<Replayable<ColumnView>> {
  forget(engine, { columnId });
  const value = columnView(await columnOf(engine, board, columnId));
  return { value, created: true, replayed: true };
}
