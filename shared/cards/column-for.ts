/** Where a new card goes when its request names no column. */
import { columnsOf, type Board, type Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { targetColumn } from '../columns.ts';

/** The column named; else the board's first with the role `todo`; else its first. */
export async function columnFor(engine: Engine, board: Board, columnId: string | undefined): Promise<Column> {
  if (columnId !== undefined) return targetColumn(engine, board.id, columnId);
  const open = (await columnsOf(engine, board)).filter((column) => column.item.closing_at === undefined);
  const column = open.find(({ role }) => role === 'todo') ?? open[0];
  if (column === undefined) {
    throw problem('conflict', `The board '${board.item.slug}' has no column yet. Make one first.`);
  }
  return column;
}

/** The board's first queue, one with the role `work` before others: where what is broken down gets done. */
export async function workQueue(engine: Engine, board: Board): Promise<Column | undefined> {
  const queues = (await columnsOf(engine, board)).filter(
    (column) => column.queue && column.item.closing_at === undefined,
  );
  return queues.find(({ role }) => role === 'work') ?? queues[0];
}
