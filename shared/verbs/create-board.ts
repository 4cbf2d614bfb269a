/** Create a board, with the columns of its template, its slug and its place in the list: all at once or not. */
import { columnPut, queueEntryPut } from '../boards/new-column.ts';
import { NO_CARDS } from '../boards/state-counts.ts';
import { keyPrefixOf, slugFromName } from '../boards/slug.ts';
import { templateColumns } from '../boards/template.ts';
import { toColumn } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { makeFeedCursor, OLDEST } from '../events/read-feed.ts';
import {
  findRecord,
  recordAfterRefusal,
  recordWrite,
  type Repeatable,
  type Replayable,
} from '../idempotency.ts';
import { newId } from '../ids.ts';
import type { CreateBoardBody } from '../schemas/boards.ts';
import { ABSENT } from '../store/conditions.ts';
import { LAYOUT_VERSION, type BoardItem, type ColumnItem, type IdempotencyItem } from '../store/items.ts';
import { boardEntryKey, boardKey, slugKey } from '../store/keys.ts';
import type { Put } from '../store/params.ts';
import { boardDetail, type BoardDetail } from '../views/board.ts';
import { getBoard } from './get-board.ts';

/** Answers what `getBoard` does. A slug that is taken, also one made from the name, is a `conflict`. */
export async function createBoard(
  engine: Engine,
  caller: Caller,
  input: CreateBoardBody,
  repeat: Repeatable | null,
): Promise<Replayable<BoardDetail>> {
  if (caller.boardId !== null) {
    throw problem(
      'forbidden',
      'This token is for one board. Create boards with a token that is for all of them.',
    );
  }
  const recorded = repeat === null ? undefined : await findRecord(engine, caller, repeat);
  if (recorded !== undefined) return replay(engine, caller, recorded);
  const item = newBoard(engine, input);
  const columns = templateColumns(engine, item.pk, input.template ?? 'default');
  const board = { ...item, column_ids: columns.map((column) => column.pk) };
  const record = repeat && recordWrite(engine, caller, repeat, { board_id: board.pk, status: 201 });
  const written = await engine.store.transact([
    ...boardPuts(board, columns),
    ...(record === null ? [] : [record]),
  ]);
  if (written.ok) return { value: asCreated(board, columns), created: true, replayed: false };
  if (repeat !== null && (written.refused.at(-1) ?? null) !== null) {
    return replay(engine, caller, await recordAfterRefusal(engine, caller, repeat));
  }
  throw problem('conflict', `The slug '${board.slug}' is taken. Choose another with the field slug.`);
}

async function replay(
  engine: Engine,
  caller: Caller,
  recorded: IdempotencyItem,
): Promise<Replayable<BoardDetail>> {
  const value = await getBoard(engine, caller, { board: recorded.board_id ?? '' });
  return { value, created: true, replayed: true };
}

function newBoard(engine: Engine, input: CreateBoardBody): BoardItem {
  const now = engine.deps.now();
  const slug = input.slug ?? slugFromName(input.name);
  const key = boardKey(newId('brd', engine.deps));
  return {
    ...key,
    v: LAYOUT_VERSION,
    board_id: key.pk,
    slug,
    name: input.name,
    ...(input.description == null ? {} : { description: input.description }),
    ...(input.icon == null ? {} : { icon: input.icon }),
    key_prefix: keyPrefixOf(slug),
    column_ids: [],
    created_at: now,
    updated_at: now,
    rev: 1,
    sequence: 0,
    op: 'create',
    ev: [],
  };
}

function boardPuts(board: BoardItem, columns: readonly ColumnItem[]): Put[] {
  const ids = { v: LAYOUT_VERSION, board_id: board.pk };
  return [
    { kind: 'put', item: { ...board }, condition: ABSENT },
    { kind: 'put', item: { ...slugKey(board.slug), ...ids }, condition: ABSENT },
    { kind: 'put', item: { ...boardEntryKey(board.pk), ...ids } },
    ...columns.map(columnPut),
    ...columns.filter((column) => toColumn(column).queue).map(queueEntryPut),
  ];
}

function asCreated(item: BoardItem, columns: readonly ColumnItem[]): BoardDetail {
  const counted = columns.map((column) => ({ column: toColumn(column), cards: NO_CARDS }));
  return boardDetail({ item, id: item.pk }, counted, NO_CARDS, makeFeedCursor(item.pk, OLDEST));
}
