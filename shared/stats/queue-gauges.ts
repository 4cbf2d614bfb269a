/** How all queues of the installation fare together, from their lanes: what an alarm looks at. */
import { listQueues } from '../boards/list-queues.ts';
import { isReady, isTimed, readLane, type Entry } from '../claim/lanes.ts';
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { COUNT_CAP } from '../policy.ts';
import { parkedPrefix } from '../store/keys.ts';
import { inWidth } from '../width.ts';
import { oldestReady } from './column-stats.ts';
import { MEASURED_COLUMNS_MAX, QUEUES_AT_ONCE } from './policy.ts';

export interface QueueGauges {
  /** Cards; of each column and state at most `COUNT_CAP` are counted. */
  ready: number;
  leased: number;
  dead: number;
  /** How long the oldest ready card has been ready, in ms; 0 when none is. */
  ageMs: number;
}

export interface AllGauges {
  readonly total: QueueGauges;
  /** Of the columns whose contract asks for it, by id; at most `MEASURED_COLUMNS_MAX`, those made first. */
  readonly columns: ReadonlyMap<string, QueueGauges>;
  /** Columns that ask for it and are over the bound. */
  readonly unmeasured: number;
}

/** @param until Ends at the next column past this moment (ms), with what it has by then. */
export async function queueGauges(engine: Engine, until: number): Promise<AllGauges> {
  const sum: QueueGauges = { ready: 0, leased: 0, dead: 0, ageMs: 0 };
  const asking = new Map<string, QueueGauges>();
  await inWidth(QUEUES_AT_ONCE, await listQueues(engine), async (columnId) => {
    if (engine.deps.now() >= until) return;
    const [column, own] = await Promise.all([findColumn(engine, columnId), columnGauges(engine, columnId)]);
    if (column?.contract.metrics === true) asking.set(columnId, own);
    sum.ready += own.ready;
    sum.leased += own.leased;
    sum.dead += own.dead;
    sum.ageMs = Math.max(sum.ageMs, own.ageMs);
  });
  // Ids rise with time: a column that was measured stays so when others are added.
  const inOrder = [...asking].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const columns = new Map(inOrder.slice(0, MEASURED_COLUMNS_MAX));
  return { total: sum, columns, unmeasured: asking.size - columns.size };
}

async function columnGauges(engine: Engine, columnId: string): Promise<QueueGauges> {
  const limit = COUNT_CAP;
  const [ready, timed, dead] = await Promise.all([
    readLane(engine, columnId, 'R', { limit }),
    readLane(engine, columnId, 'T', { limit }),
    readLane(engine, columnId, 'P', { limit, prefix: parkedPrefix('dead') }),
  ]);
  const now = engine.deps.now();
  const entries = [...ready.entries, ...timed.entries];
  const oldest = await oldestReady(engine, entries, now);
  return {
    ready: entries.filter((entry) => isOffered(entry, now)).length,
    leased: timed.entries.filter((entry) => isTimed(entry) && entry.at.kind === 'h').length,
    dead: dead.entries.length,
    ageMs: oldest === null ? 0 : now - oldest,
  };
}

/** What a time has made ready stands in the timed lane until somebody comes by. */
function isOffered(entry: Entry, now: number): boolean {
  return isReady(entry) || (isTimed(entry) && entry.at.kind === 'w' && entry.at.due <= now);
}
