/**
 * Boards and columns as they are at this moment, past what this instance remembers: for every change, and for
 * people, who must see what they have just done through another instance.
 */
import { boardFor, columnOf, forget, toColumn, type Board, type Column } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { ColumnSchema } from '../store/items.ts';
import { columnKey } from '../store/keys.ts';

export async function boardNow(engine: Engine, caller: Caller, idOrSlug: string): Promise<Board> {
  const { id } = await boardFor(engine, caller, idOrSlug);
  forget(engine, { boardId: id });
  return boardFor(engine, caller, id);
}

/** The columns of a board in order. */
export async function columnsNow(engine: Engine, board: Board): Promise<Column[]> {
  const items = await engine.store.batchGet(board.item.column_ids.map(columnKey));
  return items.filter((item) => item !== undefined).map((item) => toColumn(ColumnSchema.parse(item)));
}

export async function columnNow(engine: Engine, board: Board, columnId: string): Promise<Column> {
  if (!board.item.column_ids.includes(columnId)) throw notFound('column', columnId);
  forget(engine, { columnId });
  return columnOf(engine, board, columnId);
}
