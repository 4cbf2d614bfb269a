/** A board's cap on leases, told to its columns: claims read the column only. */
import type { Board } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { PRESENT } from '../store/conditions.ts';
import type { ColumnItem } from '../store/items.ts';
import { columnKey } from '../store/keys.ts';
import type { Update } from '../store/params.ts';

/**
 * The columns' writes for a cap that is set, changed, or with undefined taken away; for the board's own transaction.
 * Set anew, leases may live that were given without a slot of the board's.
 */
export function cappedWrites(engine: Engine, board: Board, limit: number | undefined): Update[] {
  const anew = board.item.max_in_progress === undefined;
  const adopting = anew ? { board_adopting_at: engine.deps.now() } : {};
  return board.item.column_ids.map((id) => ({
    kind: 'update',
    key: columnKey(id),
    set: limit === undefined ? {} : { board_limit: limit, ...adopting },
    remove: limit === undefined ? ['board_limit', 'board_adopting_at'] : [],
    condition: PRESENT,
  }));
}

/** What a column that is new on a capped board takes along: leases of others may still be without a slot. */
export function boardCap(
  engine: Engine,
  board: Board,
): Pick<ColumnItem, 'board_limit' | 'board_adopting_at'> {
  const { max_in_progress: limit } = board.item;
  return limit === undefined ? {} : { board_limit: limit, board_adopting_at: engine.deps.now() };
}
