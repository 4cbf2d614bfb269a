/**
 * One run of the reaper over the boards that do not keep everything. Each is seen to once a day, in portions: what a
 * run leaves, the next one goes on with. Everything may be done twice and stopped anywhere.
 */
import type { Engine } from '../engine.ts';
import { BoardSchema, type BoardItem, type RetentionItem } from '../store/items.ts';
import { boardKey } from '../store/keys.ts';
import { Allowance } from './allowance.ts';
import { removeOldArchived } from './old-archived.ts';
import { removeOldEvents } from './old-events.ts';
import { removeOldRuns } from './old-runs.ts';
import { RETENTION_EVERY_MS } from './policy.ts';
import { listRetention, noteProgress, retentionDelete } from './register.ts';
import { DAY_MS } from '../units.ts';

/** How many were removed. */
export interface Removed {
  events: number;
  runs: number;
  cards: number;
}

/**
 * Until the clock passes `until` (ms), counting in `removed`. A fault of one board stops no other; it is thrown at
 * the end.
 */
export async function tendRetention(engine: Engine, until: number, removed: Removed): Promise<void> {
  const faults: unknown[] = [];
  for (const entry of await dueEntries(engine)) {
    if (engine.deps.now() >= until) break;
    await tendBoard(engine, entry, until, removed).catch((fault: unknown) => faults.push(fault));
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Some boards keep more than they should');
}

/** In an order of chance: a board that takes all the time there is must not keep the others waiting for ever. */
async function dueEntries(engine: Engine): Promise<RetentionItem[]> {
  const now = engine.deps.now();
  const due = (await listRetention(engine)).filter(({ due_at }) => due_at <= now);
  return due
    .map((entry) => ({ entry, at: engine.deps.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
}

async function tendBoard(
  engine: Engine,
  entry: RetentionItem,
  until: number,
  removed: Removed,
): Promise<void> {
  const item = await engine.store.get(boardKey(entry.sk));
  const board = item === undefined ? undefined : BoardSchema.parse(item);
  if (board === undefined || board.deleting_at !== undefined) {
    await engine.store.write(retentionDelete(entry.sk));
    return;
  }
  // What is archived as a whole is kept as a whole.
  const archived = board.archived_at !== undefined;
  const left = archived ? null : await removeOld(engine, board, entry, until, removed);
  const tomorrow = { due_at: engine.deps.now() + RETENTION_EVERY_MS };
  await noteProgress(engine, entry, left === null ? tomorrow : { due_at: entry.due_at, ...left });
}

type Left = Pick<RetentionItem, 'walk' | 'walked'>;

/** Answers what the next run has to go on with; null when nothing is left. */
async function removeOld(
  engine: Engine,
  board: BoardItem,
  entry: RetentionItem,
  until: number,
  removed: Removed,
): Promise<Left | null> {
  const allowance = new Allowance(engine, until);
  const before = (days: number): number => engine.deps.now() - days * DAY_MS;
  const { event_retention_days: events, run_retention_days: runs, archived_retention_days: cards } = board;
  if (cards !== undefined) {
    const done = await removeOldArchived(engine, board.column_ids, before(cards), allowance);
    removed.cards += done.removed;
    if (!done.finished) return entry;
  }
  if (runs !== undefined && !entry.walked) {
    const done = await removeOldRuns(engine, board.pk, before(runs), allowance, entry.walk);
    removed.runs += done.removed;
    if (done.walk !== undefined) return { walk: done.walk };
  }
  if (events === undefined) return null;
  const done = await removeOldEvents(engine, board.pk, before(events), allowance);
  removed.events += done.removed;
  return done.finished ? null : { walked: true };
}
