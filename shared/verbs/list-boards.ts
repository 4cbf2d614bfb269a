/** The boards that the caller may know of, oldest first; the archived ones by themselves. */
import * as z from 'zod';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import { isId } from '../ids.ts';
import { PAGE_MAX } from '../policy.ts';
import type { ListBoardsQuery } from '../schemas/boards.ts';
import { BoardSchema, type BoardItem } from '../store/items.ts';
import { boardEntryKey, boardKey, BOARDS_PK } from '../store/keys.ts';
import { boardView, type BoardView } from '../views/board.ts';

const LIST = 'boards';
const Position = z.string().refine((id) => isId('brd', id));

interface BoardPage {
  readonly items: BoardView[];
  readonly next_cursor: string | null;
}

export async function listBoards(engine: Engine, caller: Caller, input: ListBoardsQuery): Promise<BoardPage> {
  const after = input.cursor === undefined ? undefined : readListCursor(engine, LIST, input.cursor, Position);
  const found: BoardItem[] = [];
  for await (const board of caller.boardId === null
    ? boardsAfter(engine, after)
    : oneBoard(engine, caller.boardId)) {
    if (!isShown(board, input.archived)) continue;
    // One more than asked tells that there is a next page.
    if (found.push(board) > input.limit) break;
  }
  const page = found.slice(0, input.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return {
    items: page.map((item) => boardView({ item, id: item.pk })),
    next_cursor: last === undefined ? null : makeListCursor(engine, LIST, last.pk),
  };
}

function isShown(board: BoardItem, archived: boolean): boolean {
  const isArchived = board.archived_at !== undefined;
  return board.deleting_at === undefined && isArchived === archived;
}

/** All that a token of one board may know of. */
async function* oneBoard(engine: Engine, id: string): AsyncGenerator<BoardItem> {
  const item = await engine.store.get(boardKey(id));
  if (item !== undefined) yield BoardSchema.parse(item);
}

async function* boardsAfter(engine: Engine, after: string | undefined): AsyncGenerator<BoardItem> {
  const start = after === undefined ? undefined : { ...boardEntryKey(after) };
  for await (const entries of engine.store.pages({
    pk: { name: 'pk', value: BOARDS_PK },
    limit: PAGE_MAX,
    consistent: true,
    ...(start === undefined ? {} : { start }),
  })) {
    const items = await engine.store.batchGet(entries.map(({ sk }) => boardKey(String(sk))));
    for (const item of items) if (item !== undefined) yield BoardSchema.parse(item);
  }
}
