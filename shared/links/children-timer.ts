/**
 * The timer of a card whose children are still to be looked at: put in the write that makes the card done, so that
 * no crash leaves them waiting, and gone once all were seen. It stands in the timed lane of a queue that its
 * children wait in, where claims and reaper find it without reading what waits.
 */
import { columnsOf, findColumn, type Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { readJob } from '../jobs.ts';
import { BoardSchema, LAYOUT_VERSION, type Job } from '../store/items.ts';
import { boardKey, laneOf, order, timedPos, timerKey } from '../store/keys.ts';
import { expression } from '../store/conditions.ts';
import type { Delete, Put, Update } from '../store/params.ts';
import { TIMERS } from '../timers/timer.ts';

export const childrenTimerKey = (cardId: string) => timerKey(cardId, TIMERS.children);

interface Place {
  readonly lane: string;
  readonly pos: string;
}

/**
 * @param next A child that is to be looked at: the timer rings in its column.
 * @param due In ms.
 * @returns null when the board has no queue: then nobody is offered anything, and a card that comes into a queue is
 * looked at as it comes.
 */
export async function timerPlace(
  engine: Engine,
  boardId: string,
  next: string,
  due: number,
): Promise<Place | null> {
  const child = await readJob(engine, next).catch(() => undefined);
  const own = child === undefined ? undefined : await findColumn(engine, child.column_id);
  const column = own?.queue === true ? own : await firstQueue(engine, boardId);
  if (column === undefined) return null;
  // The child in the key makes each page's entry another: an instance that has seen one gone still sees the next.
  return { lane: laneOf(column.column_id, 'T'), pos: timedPos(due, 't', order(0, next)) };
}

async function firstQueue(engine: Engine, boardId: string): Promise<Column | undefined> {
  const item = await engine.boards.get(boardId, async () => {
    const found = await engine.store.get(boardKey(boardId));
    return found === undefined ? undefined : BoardSchema.parse(found);
  });
  if (item === undefined) return undefined;
  const columns = await columnsOf(engine, { item, id: boardId });
  return columns.find(({ queue }) => queue);
}

/** @param seen The last child that was looked at; undefined for none. */
export function timerPut(job: Pick<Job, 'pk' | 'board_id'>, place: Place, seen?: string): Put {
  return {
    kind: 'put',
    item: {
      ...childrenTimerKey(job.pk),
      v: LAYOUT_VERSION,
      board_id: job.board_id,
      run: 0,
      ...place,
      ...(seen === undefined ? {} : { seen }),
    },
  };
}

const asFound = (pos: string) => expression('#pos = :c_pos', { pos });

/** Moves a timer on; refused when another has rung it since. */
export function timerMove(cardId: string, from: string, to: Place, seen?: string): Update {
  return {
    kind: 'update',
    key: childrenTimerKey(cardId),
    set: { ...to, ...(seen === undefined ? {} : { seen }) },
    remove: [],
    condition: asFound(from),
  };
}

export function timerDelete(cardId: string, from: string): Delete {
  return { kind: 'delete', key: childrenTimerKey(cardId), condition: asFound(from) };
}
