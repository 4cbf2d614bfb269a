/**
 * What a board remembers of its imports, so that the same file again, or its next part, finds what came of it
 * before: which column here a column there has become, and whether cards keep the numbers of their keys.
 */
import type { Board, Column } from '../columns.ts';
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { ABSENT } from '../store/conditions.ts';
import { ImportedBoardSchema, ImportedColumnSchema } from '../store/import-items.ts';
import { LAYOUT_VERSION } from '../store/items.ts';
import { IMPORT_PREFIX, importKey } from '../store/keys.ts';
import type { Put } from '../store/params.ts';

export interface ImportedColumn {
  /** Board that it was exported from. */
  readonly source: string;
  readonly columnId: string;
}

/** By the id that the column has where it comes from. */
export async function importedColumns(
  engine: Engine,
  boardId: string,
): Promise<ReadonlyMap<string, ImportedColumn>> {
  const prefix = `${IMPORT_PREFIX}col_`;
  const found = new Map<string, ImportedColumn>();
  const pages = engine.store.pages({
    pk: { name: 'pk', value: boardId },
    sk: { name: 'sk', prefix },
    consistent: true,
  });
  for await (const items of pages) {
    for (const item of items) {
      const { sk, source, column_id: columnId } = ImportedColumnSchema.parse(item);
      found.set(sk.slice(IMPORT_PREFIX.length), { source, columnId });
    }
  }
  return found;
}

export function importedColumnPut(boardId: string, id: string, { source, columnId }: ImportedColumn): Put {
  const common = { v: LAYOUT_VERSION, board_id: boardId };
  return { kind: 'put', item: { ...importKey(boardId, id), ...common, source, column_id: columnId } };
}

/** Up to which number cards of that board keep theirs; undefined when its row was never imported. */
export async function importedNumbers(
  engine: Engine,
  boardId: string,
  source: string,
): Promise<number | undefined> {
  const item = await engine.store.get(importKey(boardId, source));
  return item === undefined ? undefined : ImportedBoardSchema.parse(item).numbers;
}

export function importedBoardPut(boardId: string, source: string, numbers: number): Put {
  const common = { v: LAYOUT_VERSION, board_id: boardId };
  return { kind: 'put', item: { ...importKey(boardId, source), ...common, numbers }, condition: ABSENT };
}

/** All of it, when the board goes. */
export async function removeImports(engine: Engine, boardId: string): Promise<void> {
  const range = { pk: { name: 'pk', value: boardId }, sk: { name: 'sk', prefix: IMPORT_PREFIX } };
  for await (const items of engine.store.pages({ ...range, consistent: true })) {
    for (const { sk } of items)
      await engine.store.write({ kind: 'delete', key: { pk: boardId, sk: String(sk) } });
  }
}

/** A column of this board, or the one that another board's has become here; undefined when it is neither. */
export function columnNames(
  board: Board,
  imported: ReadonlyMap<string, ImportedColumn>,
): (id: string | undefined) => string | undefined {
  const ids = new Set(board.item.column_ids);
  return (id) => {
    if (id === undefined || ids.has(id)) return id;
    const columnId = imported.get(id)?.columnId;
    return columnId !== undefined && ids.has(columnId) ? columnId : undefined;
  };
}

export async function standingColumn(engine: Engine, id: string | undefined): Promise<Column | undefined> {
  const column = id === undefined ? undefined : await findColumn(engine, id);
  return column?.item.closing_at === undefined ? column : undefined;
}
