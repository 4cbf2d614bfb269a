/** What an export begins with: the board, its columns in order, and behind all of them their contracts. */
import { columnsNow } from '../boards/read-now.ts';
import type { Board, Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import type { BoardRow, ColumnRow, ContractRow, TransferRow } from '../schemas/transfer.ts';
import { numberKey } from '../store/keys.ts';
import { iso } from '../views/time.ts';

/** @param until Time key of the export's beginning. */
export async function headRows(engine: Engine, board: Board, until: string): Promise<TransferRow[]> {
  const columns = await columnsNow(engine, board);
  const standing = columns.filter(({ item }) => item.closing_at === undefined);
  const numbers = await lastNumber(engine, board.id);
  return [
    boardRow(board, numbers, iso(Number(until))),
    ...standing.map(columnRow),
    ...standing.filter(({ item }) => item.contract !== undefined).map(contractRow),
  ];
}

/** The number that was given to a card last; 0 when no card was ever made. */
export async function lastNumber(engine: Engine, boardId: string): Promise<number> {
  const item = await engine.store.get(numberKey(boardId));
  return Number(item?.['number'] ?? 0);
}

function boardRow({ id, item }: Board, numbers: number, exported_at: string): BoardRow {
  const { slug, name, description, icon, max_in_progress } = item;
  const { event_retention_days, run_retention_days, archived_retention_days } = item;
  const kept = { event_retention_days, run_retention_days, archived_retention_days };
  return {
    type: 'board',
    id,
    slug,
    name,
    description,
    icon,
    max_in_progress,
    ...kept,
    numbers,
    exported_at,
  };
}

function columnRow({ column_id, item }: Column): ColumnRow {
  const { board_id, name, role, wip_limit } = item;
  return { type: 'column', id: column_id, board_id, name, role, wip_limit };
}

function contractRow({ column_id, contract, paused }: Column): ContractRow {
  return { type: 'contract', column_id, contract: { ...contract }, ...(paused ? { paused } : {}) };
}
