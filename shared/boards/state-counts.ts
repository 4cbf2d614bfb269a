/**
 * How many cards stand in each state, read from the lanes and so as late as the index is. Counted up to a cap:
 * counting 100,000 entries would be 1,800 read units for each look at a board.
 */
import { isParked, isReady, isTimed, readLane, type Entry } from '../claim/lanes.ts';
import type { Engine } from '../engine.ts';
import { CARD_STATES, type CardState } from '../model/states.ts';
import { COUNT_CAP } from '../policy.ts';
import { PARKED, parkedPrefix, type LaneKind, type ParkedKind } from '../store/keys.ts';

export type Counts = Record<CardState, number>;
export interface StateCounts {
  readonly counts: Counts;
  /** There are more than counted; a state whose entries lie behind the cap in its lane may even lack some. */
  readonly capped: boolean;
}

const STATE_OF_PARKED: Record<ParkedKind, CardState> = {
  blocked: 'blocked',
  parents: 'waiting',
  input: 'waiting',
  hold: 'waiting',
  draft: 'waiting',
  container: 'waiting',
  dead: 'dead',
  idle: 'idle',
  done: 'done',
  archived: 'archived',
};

const zero = (): Counts => Object.fromEntries(CARD_STATES.map((state) => [state, 0])) as Counts;

export const NO_CARDS: StateCounts = { counts: zero(), capped: false };

/** The entries of a column's lanes, of each range as many as are counted. */
export interface ColumnEntries {
  readonly entries: readonly Entry[];
  /** There are more than were read. */
  readonly more: boolean;
}

export async function columnEntries(engine: Engine, columnId: string): Promise<ColumnEntries> {
  const [ready, timed, parked] = await Promise.all([
    readCapped(engine, columnId, 'R'),
    readCapped(engine, columnId, 'T'),
    readParked(engine, columnId),
  ]);
  const pages = [ready, timed, ...parked];
  return { entries: pages.flatMap((page) => page.entries), more: pages.some((page) => page.more) };
}

export async function columnCounts(engine: Engine, columnId: string): Promise<StateCounts> {
  return countsOf(await columnEntries(engine, columnId), engine.deps.now());
}

export function countsOf({ entries, more }: ColumnEntries, now: number): StateCounts {
  const counts = zero();
  for (const entry of entries) counts[stateOf(entry, now)] += 1;
  return limited(counts, more);
}

/** The sum over a board's columns. */
export function sumCounts(columns: readonly StateCounts[]): StateCounts {
  const sum = zero();
  for (const { counts } of columns) for (const state of CARD_STATES) sum[state] += counts[state];
  return limited(
    sum,
    columns.some((column) => column.capped),
  );
}

function limited(counts: Counts, more: boolean): StateCounts {
  const capped = more || CARD_STATES.some((state) => counts[state] > COUNT_CAP);
  const within = zero();
  for (const state of CARD_STATES) within[state] = Math.min(COUNT_CAP, counts[state]);
  return { counts: within, capped };
}

/** As a claim would see it: what waited for a time that is past is ready. */
export function stateOf(entry: Entry, now: number): CardState {
  if (isReady(entry)) return 'ready';
  if (isTimed(entry)) return entry.at.kind === 'h' ? 'leased' : entry.at.due <= now ? 'ready' : 'waiting';
  return isParked(entry) ? STATE_OF_PARKED[entry.at.kind] : 'waiting';
}

async function readCapped(
  engine: Engine,
  columnId: string,
  kind: LaneKind,
  prefix?: string,
): Promise<ColumnEntries> {
  const range = { limit: COUNT_CAP + 1, ...(prefix === undefined ? {} : { prefix }) };
  const { entries } = await readLane(engine, columnId, kind, range);
  return { entries: entries.slice(0, COUNT_CAP), more: entries.length > COUNT_CAP };
}

/** The parked lane at one reading; when that is not all of it, each kind by itself: done cards come last in it. */
async function readParked(engine: Engine, columnId: string): Promise<ColumnEntries[]> {
  const whole = await readCapped(engine, columnId, 'P');
  if (!whole.more) return [whole];
  const kinds = Object.keys(PARKED) as ParkedKind[];
  return Promise.all(kinds.map((kind) => readCapped(engine, columnId, 'P', parkedPrefix(kind))));
}
