/**
 * Delete an empty column. It leaves the board at once and closes: nothing may be put there or name it, and the
 * reaper removes it once it has stayed empty.
 */
import { columnWrite, editBoard } from '../boards/edit-board.ts';
import { columnNow, columnsNow } from '../boards/read-now.ts';
import { mustBeOpen, type Board, type Column } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { cardsIn } from '../going-away/close-column.ts';
import { goingPut } from '../going-away/register.ts';
import { queueEntryKey } from '../store/keys.ts';

/** `conflict` while a card is in it, archived and done ones included, or another contract sends cards there. */
export async function deleteColumn(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
): Promise<void> {
  await editBoard(engine, caller, input.board, async (board) => {
    mustBeOpen(board);
    const column = await columnNow(engine, board, input.column);
    await mustBeUnnamed(engine, board, column);
    await mustBeEmpty(engine, column);
    const { write } = columnWrite(engine, column.item, { ...column.item, closing_at: engine.deps.now() });
    return {
      after: { ...board.item, column_ids: board.item.column_ids.filter((id) => id !== column.column_id) },
      op: 'delete_column',
      events: [{ type: 'column.deleted', by: actorOf(caller), column_id: column.column_id }],
      also: [
        write,
        goingPut(engine, column.column_id, board.id),
        { kind: 'delete', key: queueEntryKey(column.column_id) },
      ],
      columnIds: [column.column_id],
      result: () => undefined,
    };
  });
}

async function mustBeUnnamed(engine: Engine, board: Board, column: Column): Promise<void> {
  const naming = (await columnsNow(engine, board)).find(
    ({ column_id, contract }) =>
      column_id !== column.column_id &&
      [contract.on_success_column_id, contract.on_failure_column_id].includes(column.column_id),
  );
  if (naming === undefined) return;
  throw problem(
    'conflict',
    `The contract of '${naming.item.name}' sends cards to '${column.item.name}'. Change that contract first.`,
  );
}

async function mustBeEmpty(engine: Engine, column: Column): Promise<void> {
  if ((await cardsIn(engine, column.column_id, 1)).length === 0) return;
  throw problem(
    'conflict',
    `The column '${column.item.name}' has cards. Move or delete them first, archived ones too.`,
  );
}
