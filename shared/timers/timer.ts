/**
 * Timers: what must happen at a time to a card that is not itself in its column's timed lane. A small item in that
 * lane, which claims and reaper meet when it is due. It decides nothing: whoever meets it looks at the card.
 */
import { laneOf, order, timedPos, timerKey } from '../store/keys.ts';
import { LAYOUT_VERSION, type Job } from '../store/items.ts';
import type { Put } from '../store/params.ts';

/** One timer of each kind a card: put again, it is set anew. */
export const TIMERS = { reservation: 'RESERVED', children: 'CHILDREN' } as const;
export type TimerKind = keyof typeof TIMERS;

/** @param due When it rings, in ms. */
export function timerPut(job: Job, kind: TimerKind, due: number): Put {
  return {
    kind: 'put',
    item: {
      ...timerKey(job.pk, TIMERS[kind]),
      v: LAYOUT_VERSION,
      board_id: job.board_id,
      run: job.run,
      lane: laneOf(job.column_id, 'T'),
      pos: timedPos(due, 't', order(job.priority, job.rank)),
    },
  };
}
