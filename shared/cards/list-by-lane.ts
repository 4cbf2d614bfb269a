/**
 * A column's cards in claim order: what stands ready, what has a time, what is parked, each lane as its index
 * has it. Where a state is asked for, only the ranges that can hold it are read.
 */
import * as z from 'zod';
import { readLane } from '../claim/lanes.ts';
import type { Engine } from '../engine.ts';
import {
  dueUntil,
  jobKey,
  laneOf,
  parkedPos,
  parkedPrefix,
  readyPrefix,
  type LaneKind,
  type ParkedKind,
} from '../store/keys.ts';
import type { CardFilter, Entries } from './list-page.ts';

/** `range`: which of the filter's ranges, by its place among them. */
export const LanePosition = z.object({ range: z.number().int(), pk: z.string(), pos: z.string() });
export type LanePosition = z.infer<typeof LanePosition>;

interface Range {
  readonly kind: LaneKind;
  readonly prefix?: string;
  readonly until?: string;
}

/** Sorts after every position of its kind. */
const LAST = '~';
const WAITS: readonly ParkedKind[] = ['parents', 'input', 'hold', 'draft', 'container'];

function rangesOf({ state, archived, assignee }: CardFilter, now: number): Range[] {
  const parked = (kind: ParkedKind): Range => ({ kind: 'P', prefix: parkedPrefix(kind) });
  const ready: Range = { kind: 'R', ...(assignee === undefined ? {} : { prefix: readyPrefix(assignee) }) };
  if (archived) return [parked('archived')];
  switch (state) {
    case 'ready':
      return [ready, { kind: 'T', until: dueUntil(now) }];
    case 'leased':
      return [{ kind: 'T' }];
    case 'waiting':
      return [{ kind: 'T' }, ...WAITS.map(parked)];
    case 'blocked':
    case 'dead':
    case 'idle':
    case 'done':
      return [parked(state)];
    case 'archived':
      return [parked('archived')];
    case undefined:
  }
  return [ready, { kind: 'T' }, { kind: 'P', until: parkedPos('done', LAST) }];
}

export async function* entriesByLane(
  engine: Engine,
  columnId: string,
  filter: CardFilter,
  pageSize: number,
  from: LanePosition | undefined,
): Entries<LanePosition> {
  const ranges = rangesOf(filter, engine.deps.now());
  for (const [range, { kind, ...bounds }] of ranges.entries()) {
    if (range < (from?.range ?? 0)) continue;
    const lane = laneOf(columnId, kind);
    let start: Record<string, unknown> | undefined =
      from?.range === range ? { ...jobKey(from.pk), lane, pos: from.pos } : undefined;
    do {
      const page = await readLane(engine, columnId, kind, {
        ...bounds,
        limit: pageSize,
        ...(start === undefined ? {} : { start }),
      });
      yield page.entries.map(({ pk, pos }) => ({ pk, position: { range, pk, pos } }));
      start = page.next;
    } while (start !== undefined);
  }
}
