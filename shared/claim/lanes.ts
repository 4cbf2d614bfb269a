/**
 * Reading a column's lanes: what stands ready, what is due, what is next. The index lags and may show what is
 * gone; the condition of the write that follows is the only truth. A column with shards has a ready and a timed lane
 * of each; whoever reads lanes reads all that its cards may stand in, and only a claim may do with some.
 */
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { laneOf, parsePosition, readyPrefix, type LaneKind, type Position } from '../store/keys.ts';
import { LaneEntrySchema, type LaneEntry } from '../store/items.ts';
import { LANE_PAGE, SHARDS_PER_CLAIM } from '../policy.ts';
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
  /** The shards that were read. */
  readonly shards: readonly number[];
}

interface LaneRange {
  readonly prefix?: string;
  readonly until?: string;
  readonly limit: number;
  /** From the end of the lane on, or back from `start`. */
  readonly reverse?: true;
  readonly start?: Record<string, unknown>;
  /** Timers too, which stand in the timed lane and are no cards. */
  readonly timers?: true;
}

interface LanePage {
  readonly entries: Entry[];
  readonly next: Record<string, unknown> | undefined;
}

export const shardsUpTo = (count: number): number[] => Array.from({ length: count }, (_, shard) => shard);

/** Names of a column's lanes of one kind, all that its cards may stand in. */
async function lanesOf(engine: Engine, columnId: string, kind: LaneKind): Promise<string[]> {
  if (kind === 'P') return [laneOf(columnId, kind)];
  const column = await findColumn(engine, columnId);
  return shardsUpTo(column?.shardsRead ?? 1).map((shard) => laneOf(columnId, kind, shard));
}

/**
 * Entries of one range of a column's lanes of a kind, in order over all shards; what this version cannot read is
 * passed by. `start` is where a reading of it ended, in whichever shard.
 */
export async function readLane(
  engine: Engine,
  columnId: string,
  kind: LaneKind,
  range: LaneRange,
): Promise<LanePage> {
  const lanes = await lanesOf(engine, columnId, kind);
  const [only] = lanes;
  if (only !== undefined && lanes.length === 1) return readOne(engine, only, range);
  const found: Entry[] = [];
  let { start } = range;
  do {
    const limit = range.limit - found.length;
    const page = await readSide(engine, lanes, {
      ...range,
      limit,
      ...(start === undefined ? {} : { start }),
    });
    found.push(...page.entries);
    start = page.next;
  } while (start !== undefined && found.length < range.limit);
  return { entries: found, next: start };
}

/** One page of several lanes side by side. Behind the first end of a lane that goes on, others' entries would pass its own. */
async function readSide(engine: Engine, lanes: readonly string[], range: LaneRange): Promise<LanePage> {
  const limit = Math.max(LANE_PAGE, Math.ceil(range.limit / lanes.length));
  const pages = await Promise.all(
    lanes.map(async (lane) =>
      readOne(engine, lane, {
        ...range,
        limit,
        ...(range.start === undefined ? {} : { start: { ...range.start, lane } }),
      }),
    ),
  );
  const sign = range.reverse === true ? -1 : 1;
  const along = (a: Placed, b: Placed): number => sign * byPlace(a, b);
  const ends = pages.flatMap(({ next }) => (next === undefined ? [] : [placed(next)]));
  const end = ends.sort(along)[0];
  const known = pages
    .flatMap(({ entries }) => entries)
    .filter((entry) => end === undefined || along(entry, end) <= 0)
    .sort(along);
  const entries = known.slice(0, range.limit);
  const last = entries.at(-1);
  const cut = entries.length < known.length && last !== undefined;
  const next = cut ? placed(last) : end;
  return { entries, next: next === undefined ? undefined : { ...next } };
}

interface Placed {
  readonly pk: string;
  readonly sk: string;
  readonly lane: string;
  readonly pos: string;
}
const placed = ({ pk, sk, lane, pos }: Record<string, unknown> | Placed): Placed => ({
  pk: String(pk),
  sk: String(sk),
  lane: String(lane),
  pos: String(pos),
});
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byPlace = (a: Placed, b: Placed): number => compare(a.pos, b.pos) || compare(a.pk, b.pk);

/** The lanes of a kind one after the other, page by page, each page read only when the one before is used up. */
export async function* lanePages(
  engine: Engine,
  columnId: string,
  kind: LaneKind,
  range: LaneRange,
): AsyncGenerator<Entry[]> {
  const { start, ...bounds } = range;
  const from = start === undefined ? undefined : placed(start).lane;
  for (const lane of await lanesOf(engine, columnId, kind)) {
    if (from !== undefined && lane < from) continue;
    yield* pagesOf(engine, lane, { ...bounds, ...(start !== undefined && lane === from ? { start } : {}) });
  }
}

/** One lane, page by page. */
export async function* pagesOf(engine: Engine, lane: string, range: LaneRange): AsyncGenerator<Entry[]> {
  let { start } = range;
  do {
    const page = await readOne(engine, lane, { ...range, ...(start === undefined ? {} : { start }) });
    yield page.entries;
    start = page.next;
  } while (start !== undefined);
}

async function readOne(engine: Engine, lane: string, range: LaneRange): Promise<LanePage> {
  const found: Entry[] = [];
  let page = await readPage(engine, lane, range);
  for (;;) {
    const cards = range.timers === true ? page.entries : page.entries.filter((entry) => !isTimer(entry));
    found.push(...cards);
    // Timers that are left out must not make a lane with cards behind them look empty.
    const skipped = cards.length < page.entries.length;
    if (!skipped || page.next === undefined || found.length >= range.limit) break;
    const limit = range.limit - found.length;
    page = await readPage(engine, lane, { ...range, limit, start: page.next });
  }
  return { entries: found, next: page.next };
}

async function readPage(
  engine: Engine,
  lane: string,
  { prefix, until, limit, start, reverse }: LaneRange,
): Promise<LanePage> {
  const { items, next } = await engine.store.query({
    index: LANES_INDEX,
    pk: { name: 'lane', value: lane },
    ...(prefix === undefined ? {} : { sk: { name: 'pos', prefix } }),
    ...(until === undefined ? {} : { sk: { name: 'pos', until } }),
    ...(reverse === undefined ? {} : { reverse }),
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

/** Shards that one claim looks at first: two by chance, all of them where there are no more. */
export function someShards(count: number, random: () => number): number[] {
  if (count <= SHARDS_PER_CLAIM) return shardsUpTo(count);
  const first = Math.floor(random() * count);
  const step = 1 + Math.floor(random() * (count - 1));
  return [first, (first + step) % count];
}

/** The shards of a column that a reading has left out. */
export function shardsLeft(
  { shardsRead }: { readonly shardsRead: number },
  lanes: Pick<Lanes, 'shards'>,
): number[] {
  return shardsUpTo(shardsRead).filter((shard) => !lanes.shards.includes(shard));
}

/**
 * The lanes of some shards as a claim reads them, side by side. `page`: entries to read of ready lanes, over all shards.
 */
export async function readLanes(
  engine: Engine,
  columnId: string,
  agent: string | null,
  page: number,
  shards: readonly number[],
): Promise<Lanes> {
  const share = shards.length === 1 ? page : Math.max(LANE_PAGE, Math.ceil(page / shards.length));
  const read = await Promise.all(
    shards.map(async (shard) => readShard(engine, { columnId, shard }, agent, share)),
  );
  return together(read);
}

/** Readings of several shards as one. */
export function together(read: readonly Lanes[]): Lanes {
  const [only] = read;
  if (only !== undefined && read.length === 1) return only;
  return {
    ready: inOrder(read.flatMap(({ ready }) => ready)),
    cut: read.some(({ cut }) => cut),
    others: read.some(({ others }) => others),
    timed: read
      .flatMap(({ timed }) => timed)
      .sort(byPlace)
      .slice(0, LANE_PAGE),
    shards: read.flatMap(({ shards }) => shards),
  };
}

/** Unassigned cards come first in a ready lane, so that range also tells whether others' cards follow, at no further cost. */
async function readShard(
  engine: Engine,
  { columnId, shard }: { readonly columnId: string; readonly shard: number },
  agent: string | null,
  page: number,
): Promise<Lanes> {
  const own = agent === null ? null : readyPrefix(agent);
  const readyLane = laneOf(columnId, 'R', shard);
  const [open, assigned, timed] = await Promise.all([
    readOne(engine, readyLane, { limit: page }),
    own === null ? null : readOne(engine, readyLane, { prefix: own, limit: page }),
    readOne(engine, laneOf(columnId, 'T', shard), { limit: LANE_PAGE, timers: true }),
  ]);
  const unassigned = open.entries.filter(isReady);
  const mine = (assigned?.entries ?? []).filter(isReady);
  return {
    ready: inOrder([...unassigned.filter((entry) => !entry.at.assigned), ...mine]),
    cut: (open.next !== undefined && unassigned.at(-1)?.at.assigned !== true) || assigned?.next !== undefined,
    others: unassigned.some((entry) => entry.at.assigned && (own === null || !entry.pos.startsWith(own))),
    timed: timed.entries.filter(isTimed),
    shards: [shard],
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
