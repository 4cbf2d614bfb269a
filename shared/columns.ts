/** Boards and columns as verbs meet them: looked up by id or slug, remembered for two seconds. */
import { parseStoredContract, type ContractSettings } from './contract/settings.ts';
import type { Caller, Engine } from './engine.ts';
import { notFound, problem } from './errors.ts';
import { isId } from './ids.ts';
import type { Place } from './model/settle.ts';
import { boardKey, columnKey, slugKey } from './store/keys.ts';
import { BoardSchema, ColumnSchema, type BoardItem, type ColumnItem } from './store/items.ts';
import { SECOND_MS } from './units.ts';

export interface Column extends Place {
  readonly item: ColumnItem;
  readonly board_id: string;
  readonly contract: ContractSettings;
  readonly paused: boolean;
  /** Lanes that its cards may stand in at present: while it is re-sharded, those of before too. */
  readonly shardsRead: number;
}

export interface Board {
  readonly item: BoardItem;
  readonly id: string;
}

export function toColumn(item: ColumnItem): Column {
  const contract = parseStoredContract(item.contract);
  return {
    item,
    column_id: item.pk,
    board_id: item.board_id,
    role: item.role,
    queue: contract.enabled,
    aging_ms: contract.aging_seconds === null ? undefined : contract.aging_seconds * SECOND_MS,
    contract,
    paused: item.paused === true,
    shards: contract.shards,
    shardsRead: shardsRead(item, contract.shards),
  };
}

/** A column on its way out is looked for in every lane that it ever had: it takes nothing with it. */
function shardsRead({ reshard_at, closing_at, shards_ever = 1 }: ColumnItem, shards: number): number {
  return reshard_at === undefined && closing_at === undefined ? shards : Math.max(shards, shards_ever);
}

async function readColumn(engine: Engine, columnId: string): Promise<ColumnItem | undefined> {
  const item = await engine.store.get(columnKey(columnId));
  return item === undefined ? undefined : ColumnSchema.parse(item);
}

/** A column by id; a contract, pause or resume is in force within the two seconds that this is remembered. */
export async function findColumn(engine: Engine, columnId: string): Promise<Column | undefined> {
  if (!isId('col', columnId)) return undefined;
  const item = await engine.columns.get(columnId, () => readColumn(engine, columnId));
  return item === undefined ? undefined : toColumn(item);
}

/** True for a column of this board that is not on its way out. */
function standsOn(column: Column | undefined, boardId: string): column is Column {
  return column?.board_id === boardId && column.item.closing_at === undefined;
}

/** A column of a board, or `not_found`; one that is on its way out is not found either. */
export async function columnOf(engine: Engine, board: Board, columnId: string): Promise<Column> {
  const column = await findColumn(engine, columnId);
  if (!standsOn(column, board.id)) {
    throw notFound('column', columnId);
  }
  return column;
}

/** The target of a completion or a move: a column of the same board that is not on its way out. */
export async function targetColumn(engine: Engine, boardId: string, columnId: string): Promise<Column> {
  const column = await findColumn(engine, columnId);
  if (column === undefined || column.board_id !== boardId) throw notFound('column', columnId);
  if (column.item.closing_at !== undefined) {
    throw problem('conflict', `The column '${column.item.name}' is being deleted. Name another column.`);
  }
  return column;
}

/** The columns of a board in order. */
export async function columnsOf(engine: Engine, board: Board): Promise<Column[]> {
  const columns = await Promise.all(board.item.column_ids.map((id) => findColumn(engine, id)));
  return columns.filter((column) => column !== undefined);
}

/** Board id behind an id or a slug. A slug never changes while its board is there. */
async function boardIdOf(engine: Engine, idOrSlug: string): Promise<string | undefined> {
  if (isId('brd', idOrSlug)) return idOrSlug;
  const slug = idOrSlug.toLowerCase();
  return engine.slugs.get(slug, async () => {
    const item = await engine.store.get(slugKey(slug));
    return typeof item?.['board_id'] === 'string' ? item['board_id'] : undefined;
  });
}

/** The board as it is remembered; undefined when it is gone, or being deleted for good. */
export async function standingBoard(engine: Engine, id: string): Promise<BoardItem | undefined> {
  const item = await engine.boards.get(id, async () => {
    const found = await engine.store.get(boardKey(id));
    return found === undefined ? undefined : BoardSchema.parse(found);
  });
  return item?.deleting_at === undefined ? item : undefined;
}

/** A board that the caller may know of, by id or slug; else `not_found`, whether it exists or not. */
export async function boardFor(engine: Engine, caller: Caller, idOrSlug: string): Promise<Board> {
  const id = await boardIdOf(engine, idOrSlug);
  if (id === undefined || !mayKnow(caller, id)) throw notFound('board', idOrSlug);
  const item = await standingBoard(engine, id);
  if (item === undefined) {
    // Its slug may be another board's by now.
    engine.slugs.forget(idOrSlug.toLowerCase());
    throw notFound('board', idOrSlug);
  }
  return { item, id };
}

/** An archived board can be read and restored, and nothing else. */
export function mustBeOpen(board: Board): void {
  if (board.item.archived_at !== undefined) {
    throw problem(
      'conflict',
      `The board '${board.item.slug}' is archived. Restore it with POST B:restore first.`,
    );
  }
}

export function mayKnow(caller: Caller, boardId: string): boolean {
  return caller.boardId === null || caller.boardId === boardId;
}

/** A column to claim from by the board that the caller names: two reads side by side, and none of the board. */
export async function columnToClaim(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
): Promise<Column> {
  const [boardId, column] = await Promise.all([
    boardIdOf(engine, input.board),
    findColumn(engine, input.column),
  ]);
  if (boardId === undefined || !mayKnow(caller, boardId)) throw notFound('board', input.board);
  if (!standsOn(column, boardId)) {
    // The slug may be another board's by now.
    engine.slugs.forget(input.board.toLowerCase());
    throw notFound('column', input.column);
  }
  mustBeOfOpenBoard(column);
  return column;
}

/** True while the column's board is being deleted for good. */
export const isLeaving = (column: Column): boolean => column.item.board_closed === 'deleting';

/** The same for a column that was found by its card. */
export function mustBeOfOpenBoard(column: Column): void {
  const closed = column.item.board_closed;
  if (isLeaving(column)) throw notFound('board', column.board_id);
  if (closed === 'archived') {
    throw problem('conflict', 'The board is archived. Restore it with POST B:restore first.');
  }
}

/** Forgets what this instance remembers of a board or a column that it has just changed. */
export function forget(engine: Engine, ids: { boardId?: string; columnId?: string; slug?: string }): void {
  if (ids.boardId !== undefined) engine.boards.forget(ids.boardId);
  if (ids.columnId !== undefined) engine.columns.forget(ids.columnId);
  if (ids.slug !== undefined) engine.slugs.forget(ids.slug);
}
