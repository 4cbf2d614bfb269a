/**
 * Delete a board for good. From the answer on it, its cards and its leases are not found, and within the two seconds
 * that other instances remember it nowhere; the reaper then removes its cards and, a minute or so later, itself, which
 * frees its slug. No event.
 */
import { closedWrites } from '../boards/close-columns.ts';
import { editBoard } from '../boards/edit-board.ts';
import type { Caller, Engine } from '../engine.ts';
import { goingPut } from '../going-away/register.ts';
import { boardEntryKey } from '../store/keys.ts';

export async function deleteBoard(engine: Engine, caller: Caller, input: { board: string }): Promise<void> {
  await editBoard(engine, caller, input.board, (board) => ({
    after: { ...board.item, deleting_at: engine.deps.now() },
    op: 'delete',
    events: [],
    also: [
      goingPut(engine, board.id, board.id),
      { kind: 'delete', key: boardEntryKey(board.id) },
      ...closedWrites(board, 'deleting'),
    ],
    columnIds: board.item.column_ids,
    result: () => undefined,
  }));
}
