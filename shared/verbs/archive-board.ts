/** Archive a board: it can be read and restored, and nothing else. Its leases run out by themselves. */
import { closedWrites } from '../boards/close-columns.ts';
import { editBoard } from '../boards/edit-board.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';

export async function archiveBoard(engine: Engine, caller: Caller, input: { board: string }): Promise<void> {
  await editBoard(engine, caller, input.board, (board) => {
    if (board.item.archived_at !== undefined) return { answer: undefined };
    return {
      after: { ...board.item, archived_at: engine.deps.now() },
      op: 'archive',
      events: [{ type: 'board.archived', by: actorOf(caller) }],
      also: closedWrites(board, 'archived'),
      columnIds: board.item.column_ids,
      result: () => undefined,
    };
  });
}
