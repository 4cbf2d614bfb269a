/** Stats: how a board fares, from its lanes, and so as late as their index is. */
import { boardNow, columnsNow } from '../boards/read-now.ts';
import { sumCounts } from '../boards/state-counts.ts';
import type { Caller, Engine } from '../engine.ts';
import type { CardState } from '../model/states.ts';
import { columnStats, type ColumnStats } from '../stats/column-stats.ts';
import { isoOrNull } from '../views/time.ts';
import { SECOND_MS } from '../units.ts';

/** Counts stop at a thousand for each state and column, and then say `capped`, as those of the board do. */
export async function getStats(engine: Engine, caller: Caller, input: { board: string }) {
  const board = await boardNow(engine, caller, input.board);
  const columns = await columnsNow(engine, board);
  const all = await Promise.all(columns.map(async (column) => columnStats(engine, column)));
  const now = engine.deps.now();
  const { counts, capped } = sumCounts(all.map(({ cards }) => cards));
  const sum = (part: (stats: ColumnStats) => number): number =>
    all.reduce((total, stats) => total + part(stats), 0);
  return {
    board_id: board.id,
    counts,
    capped,
    columns: all.map((stats) => ({
      column_id: stats.column.column_id,
      name: stats.column.item.name,
      counts: stats.cards.counts,
      capped: stats.cards.capped,
      ...age(stats.oldestReady, now),
    })),
    assignees: assignees(all),
    ...age(earliest(all), now),
    done_last_hour: sum(({ doneInHour }) => doneInHour),
    done_last_day: sum(({ doneInDay }) => doneInDay),
    dead: counts.dead,
    stuck: sum(({ stuck }) => stuck),
  };
}

function earliest(all: readonly ColumnStats[]): number | null {
  const times = all.flatMap(({ oldestReady }) => (oldestReady === null ? [] : [oldestReady]));
  return times.length === 0 ? null : Math.min(...times);
}

function age(since: number | null, now: number) {
  return {
    oldest_ready_at: isoOrNull(since ?? undefined),
    oldest_ready_seconds: since === null ? null : Math.floor((now - since) / SECOND_MS),
  };
}

/** By name; nobody's cards first, with null. */
function assignees(all: readonly ColumnStats[]) {
  const sums = new Map<string, Partial<Record<CardState, number>>>();
  for (const [name, counts] of all.flatMap(({ byAssignee }) => [...byAssignee])) {
    const sum = sums.get(name) ?? {};
    for (const [state, number] of Object.entries(counts) as [CardState, number][])
      sum[state] = (sum[state] ?? 0) + number;
    sums.set(name, sum);
  }
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, counts]) => ({ assignee: name === '' ? null : name, counts }));
}
