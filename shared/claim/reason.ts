/** Why nothing was offered: the first reason that holds, for claims and the frontier alike. */
import type { Engine } from '../engine.ts';
import { readLane, isParked, type Lanes } from './lanes.ts';

export const EMPTY_REASONS = [
  'paused',
  'concurrency_limit',
  'contended',
  'not_yours',
  'all_waiting',
  'all_held',
  'all_blocked',
  'containers_only',
  'empty',
] as const;
export type EmptyReason = (typeof EMPTY_REASONS)[number];

/** The parked entry that comes first tells the rest: blocked and parked before containers before what is over. */
async function parkedReason(engine: Engine, columnId: string): Promise<EmptyReason> {
  const { entries } = await readLane(engine, columnId, 'P', { limit: 1 });
  const first = entries.find(isParked)?.at.kind;
  switch (first) {
    case 'blocked':
    case 'parents':
    case 'input':
    case 'hold':
    case 'draft':
      return 'all_blocked';
    case 'container':
      return 'containers_only';
    case 'dead':
    case 'idle':
    case 'done':
    case 'archived':
    case undefined:
      return 'empty';
  }
}

/**
 * Reason for an empty answer when the column is neither paused, full nor contended.
 * `withheld`: something was ready or due, but not for this asker.
 */
export async function emptyReason(
  engine: Engine,
  columnId: string,
  lanes: Lanes,
  withheld: boolean,
): Promise<EmptyReason> {
  if (withheld || lanes.others || lanes.ready.length > 0) return 'not_yours';
  if (lanes.timed.some((entry) => entry.at.kind === 'w')) return 'all_waiting';
  if (lanes.timed.some((entry) => entry.at.kind === 'h')) return 'all_held';
  return parkedReason(engine, columnId);
}

/** When the next timed card may be offered, in ms; null when none is known. */
export function nextAvailableAt(lanes: Lanes, now: number): number | null {
  const times = lanes.timed.map((entry) => entry.at.due).filter((due) => due > now);
  return times.length === 0 ? null : Math.min(...times);
}
