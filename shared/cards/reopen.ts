/** Opening a card again that was done. */
import { columnsOf, findColumn, type Column } from '../columns.ts';
import { problem } from '../errors.ts';
import { mustAllow, note } from '../jobs.ts';
import { targetColumn } from '../columns.ts';
import { entering } from '../model/hold.ts';
import type { Draft, Step } from './change.ts';
import { keyRetaken } from './dedupe.ts';
import { checkedInput } from './stand.ts';

interface Reopening {
  readonly column_id?: string | undefined;
  readonly reason?: string | undefined;
}

export function reopened({ column_id, reason }: Reopening): Step {
  return async (draft) => {
    const { engine, by, before, now } = draft;
    mustAllow('reopen', draft.job);
    const column = await reopenColumn(draft, column_id);
    const { job, card } = checkedInput(draft.job, draft.card, column);
    const entered = entering(job, column, now, () => engine.deps.random());
    const event = note('card.reopened', by, before.job, reason === undefined ? {} : { reason });
    return keyRetaken({
      ...draft,
      job: entered,
      card,
      op: 'reopen',
      events: [...draft.events, event],
      edited: true,
    });
  };
}

/**
 * Where a reopened card goes: the column named; else in place when it was done there; else the column that it
 * came from; else the board's first with the role `todo`, or its first that is not for what is done.
 */
async function reopenColumn(draft: Draft, columnId: string | undefined): Promise<Column> {
  const { engine, board, job } = draft;
  if (columnId !== undefined) {
    const named = await targetColumn(engine, board.id, columnId);
    if (named.role !== 'done') return named;
    throw problem(
      'conflict',
      `'${named.item.name}' is for cards that are done. Name another column to reopen it in.`,
    );
  }
  const own = [job.column_id, job.from_column_id ?? job.column_id];
  const known = await Promise.all(own.map(async (id) => findColumn(engine, id)));
  const candidates = [...known, ...todoFirst(await columnsOf(engine, board))];
  const open = candidates.find((column) => column !== undefined && isOpen(column, board.id));
  if (open !== undefined) return open;
  throw problem('conflict', 'The board has no column but those for done cards. Make one and name it.');
}

const isOpen = (column: Column, boardId: string): boolean =>
  column.role !== 'done' && column.board_id === boardId && column.item.closing_at === undefined;

const todoFirst = (columns: readonly Column[]): Column[] => [
  ...columns.filter(({ role }) => role === 'todo'),
  ...columns,
];
