/** What the lanes of one column tell: counts, whose the cards are, what waits longest, what is done, what is stuck. */
import {
  columnEntries,
  countsOf,
  stateOf,
  type ColumnEntries,
  type StateCounts,
} from '../boards/state-counts.ts';
import { isParked, isReady, isTimed, type Entry } from '../claim/lanes.ts';
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import type { CardState } from '../model/states.ts';
import { JobSchema } from '../store/items.ts';
import { jobKey, overSince } from '../store/keys.ts';
import { OLDEST_CANDIDATES, STUCK_MS } from './policy.ts';
import { DAY_MS, HOUR_MS } from '../units.ts';

export interface ColumnStats {
  readonly column: Column;
  readonly cards: StateCounts;
  /** Of the cards that are not over: how many of whose, by state; '' is nobody's. */
  readonly byAssignee: ReadonlyMap<string, Partial<Record<CardState, number>>>;
  /** Since when the oldest ready card is ready, in ms; null when none is. */
  readonly oldestReady: number | null;
  readonly doneInHour: number;
  readonly doneInDay: number;
  readonly stuck: number;
}

export async function columnStats(engine: Engine, column: Column): Promise<ColumnStats> {
  const now = engine.deps.now();
  const read = await columnEntries(engine, column.column_id);
  const done = read.entries.filter((entry) => isParked(entry) && entry.at.kind === 'done');
  const doneSince = (ms: number): number => done.filter(({ pos }) => overSince(pos) > now - ms).length;
  return {
    column,
    cards: countsOf(read, now),
    byAssignee: assigneesOf(read, now),
    oldestReady: await oldestReady(engine, read.entries, now),
    doneInHour: doneSince(HOUR_MS),
    doneInDay: doneSince(DAY_MS),
    stuck: read.entries.filter((entry) => isTimed(entry) && entry.at.due < now - STUCK_MS).length,
  };
}

const OVER: ReadonlySet<CardState> = new Set(['done', 'archived']);

function assigneesOf({ entries }: ColumnEntries, now: number): ColumnStats['byAssignee'] {
  const found = new Map<string, Partial<Record<CardState, number>>>();
  for (const entry of entries) {
    const state = stateOf(entry, now);
    if (OVER.has(state)) continue;
    const counts = found.get(entry.assignee ?? '') ?? {};
    counts[state] = (counts[state] ?? 0) + 1;
    found.set(entry.assignee ?? '', counts);
  }
  return found;
}

/**
 * Ready cards say since when on their JOBs, of which a few are read: those with the lowest ranks, which is the order
 * in which cards come in, unless a person has dragged them. What a time made ready says so by its position.
 */
export async function oldestReady(
  engine: Engine,
  entries: readonly Entry[],
  now: number,
): Promise<number | null> {
  const due = entries.flatMap((entry) =>
    isTimed(entry) && entry.at.kind === 'w' && entry.at.due <= now ? [entry.at.due] : [],
  );
  const first = entries
    .filter(isReady)
    .toSorted((a, b) => (a.at.rank < b.at.rank ? -1 : 1))
    .slice(0, OLDEST_CANDIDATES);
  const items = first.length === 0 ? [] : await engine.store.batchGet(first.map(({ pk }) => jobKey(pk)));
  const since = items.flatMap((item) => {
    const job = JobSchema.safeParse(item).data;
    return job?.state === 'ready' ? [job.since_at] : [];
  });
  const all = [...due, ...since];
  return all.length === 0 ? null : Math.min(...all);
}
