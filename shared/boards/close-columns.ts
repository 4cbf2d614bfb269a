/** A board's closing, told to its columns: claims read the column only. */
import type { Board } from '../columns.ts';
import { PRESENT } from '../store/conditions.ts';
import type { ColumnItem } from '../store/items.ts';
import { columnKey } from '../store/keys.ts';
import type { Update } from '../store/params.ts';

/** The columns' writes for a board that closes, or with `null` opens again; for its own transaction. */
export function closedWrites(board: Board, closed: ColumnItem['board_closed'] | null): Update[] {
  return board.item.column_ids.map((id) => ({
    kind: 'update',
    key: columnKey(id),
    set: closed === null ? {} : { board_closed: closed },
    remove: closed === null ? ['board_closed'] : [],
    condition: PRESENT,
  }));
}
