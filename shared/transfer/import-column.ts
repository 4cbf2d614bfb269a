/**
 * Columns and their contracts. A column is the one that it became before, else the one of its name, else a new one
 * behind the others; a contract is given only to a column that was never given any.
 */
import { boardCap } from '../boards/cap-columns.ts';
import { editBoard } from '../boards/edit-board.ts';
import { columnPut, mustHaveRoom, newColumn } from '../boards/new-column.ts';
import { columnsNow } from '../boards/read-now.ts';
import { setPaused } from '../boards/set-paused.ts';
import { forget, mustBeOpen, type Board } from '../columns.ts';
import { notFound } from '../errors.ts';
import type { ColumnRow, ContractRow } from '../schemas/transfer.ts';
import { putContract } from '../verbs/put-contract.ts';
import { columnNow } from '../boards/read-now.ts';
import type { Imported, Importing } from './importing.ts';
import { columnNames, importedColumnPut, importedColumns, type ImportedColumn } from './register.ts';

export async function importColumn(
  { engine, caller, by, ...importing }: Importing,
  row: ColumnRow,
): Promise<Imported> {
  return editBoard<Imported>(engine, caller, importing.board.id, async (board) => {
    mustBeOpen(board);
    const imported = await importedColumns(engine, board.id);
    const known = columnNames(board, imported)(row.id);
    if (known !== undefined) return { answer: { created: false, id: known } };
    const named = await columnOfName(importing.board, row, imported, async () => columnsNow(engine, board));
    if (named !== undefined) {
      const put = importedColumnPut(board.id, row.id, { source: row.board_id, columnId: named });
      await engine.store.write(put);
      return { answer: { created: false, id: named } };
    }
    mustHaveRoom(board);
    const { name, role, wip_limit } = row;
    const column = { ...newColumn(engine, board.id, { name, role, wip_limit }), ...boardCap(engine, board) };
    const put = importedColumnPut(board.id, row.id, { source: row.board_id, columnId: column.pk });
    return {
      after: { ...board.item, column_ids: [...board.item.column_ids, column.pk] },
      op: 'create_column',
      events: [{ type: 'column.created', by, column_id: column.pk }],
      also: [columnPut(column), put],
      columnIds: [column.pk],
      result: () => ({ created: true, id: column.pk }),
    };
  });
}

/** Of two columns of one name each gets its own: those that another of the same board has become are left out. */
async function columnOfName(
  { id }: Board,
  row: ColumnRow,
  imported: ReadonlyMap<string, ImportedColumn>,
  columns: () => ReturnType<typeof columnsNow>,
): Promise<string | undefined> {
  if (row.board_id === id) return undefined;
  const taken = new Set(
    [...imported.values()].filter(({ source }) => source === row.board_id).map(({ columnId }) => columnId),
  );
  const named = (await columns()).filter(
    ({ item, column_id }) => item.name === row.name && item.closing_at === undefined && !taken.has(column_id),
  );
  return named[0]?.column_id;
}

export async function importContract(
  { engine, caller, board }: Importing,
  { column_id: source, contract, paused }: ContractRow,
): Promise<Imported> {
  const nameOf = columnNames(board, await importedColumns(engine, board.id));
  const id = nameOf(source);
  if (id === undefined) throw notFound('column', source);
  const column = await columnNow(engine, board, id);
  if (column.item.contract !== undefined) return { created: false, id };
  const place = { board: board.id, column: id };
  const { enabled } = await putContract(engine, caller, { ...place, contract: withNames(contract, nameOf) });
  // One that was paused as a queue and is none any more has nothing to pause.
  if (paused === true && enabled) await setPaused(engine, caller, place, true);
  forget(engine, { columnId: id });
  return { created: true, id };
}

/** The columns that it names as they are called here; what is no column's id is the contract's own check to refuse. */
function withNames(
  contract: Readonly<Record<string, unknown>>,
  nameOf: (id: string) => string | undefined,
): Record<string, unknown> {
  const named = { ...contract };
  for (const field of ['on_success_column_id', 'on_failure_column_id']) {
    const id = named[field];
    if (typeof id === 'string') named[field] = nameOf(id) ?? id;
  }
  return named;
}
