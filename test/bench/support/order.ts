/** How far claims depart from the queue's order. */
import type { Drained } from './fleet.ts';

/** Per card, by how many places it was claimed earlier or later than it stood in the queue. */
export function displacements({ backlog, claimed }: Pick<Drained, 'backlog' | 'claimed'>): number[] {
  const place = new Map(backlog.map((id, at) => [id, at]));
  return claimed.map((id, at) => Math.abs(at - (place.get(id) ?? 0)));
}

/** Claims that passed by more than `tolerated` cards of a higher priority, which were claimed only after them. */
export function passedBy(
  { backlog, claimed }: Pick<Drained, 'backlog' | 'claimed'>,
  priority: (at: number) => number,
  tolerated: number,
): number {
  const priorities = new Map(backlog.map((id, at) => [id, priority(at)]));
  const waiting = new Map<number, number>();
  for (const level of priorities.values()) waiting.set(level, (waiting.get(level) ?? 0) + 1);
  let count = 0;
  for (const id of claimed) {
    const own = priorities.get(id) ?? 0;
    waiting.set(own, (waiting.get(own) ?? 0) - 1);
    let higher = 0;
    for (const [level, left] of waiting) if (level > own) higher += left;
    if (higher > tolerated) count += 1;
  }
  return count;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
