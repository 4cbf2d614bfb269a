/**
 * Asking for changes: the card goes back to where it came from, and for a while to its implementer only, who knows
 * it best. Not for ever, since that agent may be gone: a timer in the column makes it anybody's again.
 */
import { checkedInput } from '../cards/stand.ts';
import { columnsOf, findColumn, type Board, type Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { entering } from '../model/hold.ts';
import { settle } from '../model/settle.ts';
import { LIMITS } from '../policy.ts';
import type { Card, Job } from '../store/items.ts';
import type { Put } from '../store/params.ts';
import { bytesOf } from '../text.ts';
import { timerPut } from '../timers/timer.ts';
import { SECOND_MS } from '../units.ts';

/** A card in review, in nobody's hands any more. */
export interface Reviewed {
  readonly engine: Engine;
  readonly board: Board;
  readonly job: Job;
  readonly card: Card;
  readonly now: number;
}

export interface SentBack {
  readonly job: Job;
  readonly card: Card;
  /** The timer that ends the reservation; none where nothing is reserved. */
  readonly also: readonly Put[];
}

export async function sentBack(reviewed: Reviewed): Promise<SentBack> {
  const { engine, job, card, now } = reviewed;
  const column = await sourceColumn(reviewed);
  const { from_column_id: _from, ...rest } = job;
  const { assignee: _reviewer, ...free } = rest;
  const checked = checkedInput(free, card, column);
  const entered = entering(checked.job, column, now, () => engine.deps.random());
  const implementer = assignable(job);
  const until = now + column.contract.changes_reserved_seconds * SECOND_MS;
  if (implementer === undefined || !column.queue || until <= now) {
    return { job: entered, card: checked.card, also: [] };
  }
  const reserved = settle({ ...entered, assignee: implementer, reserved_until: until }, column, now);
  return { job: reserved, card: checked.card, also: [timerPut(reserved, 'reservation', until)] };
}

/** The implementer, where a card can be kept for it: it names itself, and by a name that fits an assignee. */
function assignable({ prev_agent, prev_unnamed }: Job): string | undefined {
  if (prev_agent === undefined || prev_unnamed === true) return undefined;
  return bytesOf(prev_agent) <= LIMITS.assigneeBytes ? prev_agent : undefined;
}

/**
 * The column that the card came from. A card that was taken up again after it was done came from where done cards
 * are; it, and one whose column is gone, goes to the board's first to work in.
 */
async function sourceColumn({ engine, board, job }: Reviewed): Promise<Column> {
  const from = job.from_column_id === undefined ? undefined : await findColumn(engine, job.from_column_id);
  const candidates = [from, ...(await columnsOf(engine, board)).filter(({ role }) => role === 'work')];
  const found = candidates.find(
    (column) =>
      column !== undefined &&
      column.board_id === board.id &&
      column.item.closing_at === undefined &&
      column.role !== 'done' &&
      column.column_id !== job.column_id,
  );
  if (found !== undefined) return found;
  throw problem(
    'conflict',
    'There is no column to send the card back to: the one that it came from is gone, and no other is for work. ' +
      'Move the card instead.',
  );
}
