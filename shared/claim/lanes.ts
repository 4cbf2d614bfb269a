/**
 * Reading a column's lanes: what stands ready, what is due, what is next. The index lags and may show what is
 * gone; the condition of the write that follows is the only truth.
 */
import type { Engine } from '../engine.ts';
import { laneOf, parsePosition, readyPrefix, type LaneKind, type Position } from '../store/keys.ts';
import { LaneEntrySchema, type LaneEntry } from '../store/items.ts';
import { LANE_PAGE } from '../policy.ts';
import { LANES_INDEX } from '../store/table.ts';

/** A lane's entry with its position read. */
export interface Entry<P extends Position = Position> extends LaneEntry {
  readonly at: P;
}
export type ReadyEntry = Entry<Extract<Position, { lane: 'R' }>>;
export type TimedEntry = Entry<Extract<Position, { lane: 'T' }>>;
export type ParkedEntry = Entry<Extract<Position, { lane: 'P' }>>;

export interface Lanes {
  /** Ready cards that are nobody's or the named agent's, in claim order. */
  readonly ready: readonly ReadyEntry[];
  /** True when more ready cards may follow those that were read. */
  readonly cut: boolean;
  /** True when ready cards are there that are assigned to others. */
  readonly others: boolean;
  /** The earliest timed entries, due or not. */
  readonly timed: readonly TimedEntry[];
}

interface LaneRange {
  readonly prefix?: string;
  readonly until?: string;
  readonly limit: number;
  readonly start?: Record<string, unknown>;
  /** Timers too, which stand in the timed lane and are no cards. */
  readonly timers?: true;
}

interface LanePage {
  readonly entries: Entry[];
  readonly next: Record<string, unknown> | undefined;
}

/** Entries of one range of a lane; what this version cannot read is passed by. */
export async function readLane(
  engine: Engine,
  columnId: string,
  kind: LaneKind,
  range: LaneRange,
): Promise<LanePage> {
  const found: Entry[] = [];
  let page = await readPage(engine, columnId, kind, range);
  for (;;) {
    const cards = range.timers === true ? page.entries : page.entries.filter((entry) => !isTimer(entry));
    found.push(...cards);
    // Timers that are left out must not make a lane with cards behind them look empty.
    const skipped = cards.length < page.entries.length;
    if (!skipped || page.next === undefined || found.length >= range.limit) break;
    const limit = range.limit - found.length;
    page = await readPage(engine, columnId, kind, { ...range, limit, start: page.next });
  }
  return { entries: found, next: page.next };
}

/** A lane page by page, each page read only when the one before is used up. */
export async function* lanePages(
  engine: Engine,
  columnId: string,
  kind: LaneKind,
  range: LaneRange,
): AsyncGenerator<Entry[]> {
  let start = range.start;
  do {
    const page = await readLane(engine, columnId, kind, {
      ...range,
      ...(start === undefined ? {} : { start }),
    });
    yield page.entries;
    start = page.next;
  } while (start !== undefined);
}

async function readPage(
  engine: Engine,
  columnId: string,
  kind: LaneKind,
  { prefix, until, limit, start }: LaneRange,
): Promise<LanePage> {
  const { items, next } = await engine.store.query({
    index: LANES_INDEX,
    pk: { name: 'lane', value: laneOf(columnId, kind) },
    ...(prefix === undefined ? {} : { sk: { name: 'pos', prefix } }),
    ...(until === undefined ? {} : { sk: { name: 'pos', until } }),
    limit,
    ...(start === undefined ? {} : { start }),
  });
  return { entries: items.flatMap(toEntry), next };
}

function toEntry(item: unknown): Entry[] {
  const parsed = LaneEntrySchema.safeParse(item);
  if (!parsed.success) return [];
  const at = parsePosition(parsed.data.lane, parsed.data.pos);
  return at === null ? [] : [{ ...parsed.data, at }];
}

export const isReady = (entry: Entry): entry is ReadyEntry => entry.at.lane === 'R';
export const isTimed = (entry: Entry): entry is TimedEntry => entry.at.lane === 'T';
export const isTimer = (entry: Entry): boolean => entry.at.lane === 'T' && entry.at.kind === 't';
export const isParked = (entry: Entry): entry is ParkedEntry => entry.at.lane === 'P';

/**
 * The lanes as a claim reads them, side by side: unassigned cards come first in the ready lane, so that range
 * also tells whether others' cards follow, at no further cost.
 */
export async function readLanes(
  engine: Engine,
  columnId: string,
  agent: string | null,
  page: number,
): Promise<Lanes> {
  const own = agent === null ? null : readyPrefix(agent);
  const [open, assigned, timed] = await Promise.all([
    readLane(engine, columnId, 'R', { limit: page }),
    own === null ? null : readLane(engine, columnId, 'R', { prefix: own, limit: page }),
    readLane(engine, columnId, 'T', { limit: LANE_PAGE, timers: true }),
  ]);
  const unassigned = open.entries.filter(isReady);
  const mine = (assigned?.entries ?? []).filter(isReady);
  return {
    ready: inOrder([...unassigned.filter((entry) => !entry.at.assigned), ...mine]),
    cut: (open.next !== undefined && unassigned.at(-1)?.at.assigned !== true) || assigned?.next !== undefined,
    others: unassigned.some((entry) => entry.at.assigned && (own === null || !entry.pos.startsWith(own))),
    timed: timed.entries.filter(isTimed),
  };
}

interface Ordered {
  readonly at: { readonly priority: number; readonly rank: string };
}

export function byOrder(a: Ordered, b: Ordered): number {
  if (a.at.priority !== b.at.priority) return b.at.priority - a.at.priority;
  return a.at.rank < b.at.rank ? -1 : a.at.rank > b.at.rank ? 1 : 0;
}

function inOrder<T extends Ordered>(entries: T[]): T[] {
  return entries.sort(byOrder);
}
