/**
 * Changing a board or its columns. Every such change writes the board's item, conditional on the `rev` that was
 * read: so of two changes at once the second is decided again on what the first left, no update is lost, and a
 * column cannot be deleted while a contract comes to name it. The board's events are counted there too.
 */
import { forget, type Board } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { CONFLICT_JITTER_MS, DECIDE_RETRIES } from '../policy.ts';
import { expression, PRESENT } from '../store/conditions.ts';
import type { BoardItem, ColumnItem, EventNote } from '../store/items.ts';
import { boardKey, columnKey } from '../store/keys.ts';
import { difference, type Update, type Write } from '../store/params.ts';
import { boardNow } from './read-now.ts';

export interface BoardChange<T> {
  /** The board as the change leaves it; its counters and `ev` are set on writing. */
  readonly after: BoardItem;
  readonly op: string;
  readonly events: readonly EventNote[];
  readonly also?: readonly Write[];
  /** Columns that it changes. */
  readonly columnIds?: readonly string[];
  readonly result: (board: Board) => T;
}
export type BoardDecision<T> = BoardChange<T> | { readonly answer: T };

/** Runs `decide` until its write is accepted; it gets the board as it is now, and must read its columns so too. */
export async function editBoard<T>(
  engine: Engine,
  caller: Caller,
  idOrSlug: string,
  decide: (board: Board) => BoardDecision<T> | Promise<BoardDecision<T>>,
): Promise<T> {
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const board = await boardNow(engine, caller, idOrSlug);
    const decision = await decide(board);
    if ('answer' in decision) return decision.answer;
    const after = counted(engine, board, decision);
    if (await send(engine, board, after, decision)) return decision.result({ ...board, item: after });
    await engine.deps.sleep(engine.deps.random() * CONFLICT_JITTER_MS * (attempt + 1));
  }
  throw problem(
    'throttled',
    'Other changes of this board kept coming between. Nothing was changed; try again.',
    {
      retry_after_seconds: 1,
    },
  );
}

function counted(engine: Engine, board: Board, change: BoardChange<unknown>): BoardItem {
  return {
    ...change.after,
    op: change.op,
    ev: [...change.events],
    rev: board.item.rev + 1,
    sequence: board.item.sequence + change.events.length,
    updated_at: engine.deps.now(),
  };
}

async function send(
  engine: Engine,
  board: Board,
  after: BoardItem,
  { also = [], columnIds = [] }: BoardChange<unknown>,
): Promise<boolean> {
  const write: Update = {
    kind: 'update',
    key: boardKey(board.id),
    ...difference(board.item, after),
    condition: expression('#rev = :c_rev', { rev: board.item.rev }),
  };
  try {
    const written = await engine.store.transact([write, ...also]);
    return written.ok;
  } finally {
    // Also when the answer was lost: the change may have happened.
    forget(engine, { boardId: board.id });
    for (const columnId of columnIds) forget(engine, { columnId });
  }
}

/** COLUMN's write for a change, and the item as it will be: the difference of the two. */
export function columnWrite(
  engine: Engine,
  before: ColumnItem,
  changed: ColumnItem,
): { write: Update; after: ColumnItem } {
  const after = { ...changed, rev: before.rev + 1, updated_at: engine.deps.now() };
  const key = columnKey(before.pk);
  return { write: { kind: 'update', key, ...difference(before, after), condition: PRESENT }, after };
}
