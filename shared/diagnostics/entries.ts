/** The index entries of a board's cards that may not be offered: all but what is done, put away, or ready to go. */
import * as z from 'zod';
import { lanePages, type Entry } from '../claim/lanes.ts';
import type { Board, Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { REAPER_PAGE } from '../policy.ts';
import { jobKey, laneOf, parkedPos, shardIn, type LaneKind } from '../store/keys.ts';
import { mayWithhold, standingOf, type Standing } from './standing.ts';

/** Where a page ended. `lane`: which of a column's ranges, by its place among them. */
export const Place = z.object({
  column: z.string(),
  lane: z.number().int(),
  pk: z.string(),
  pos: z.string(),
  shard: z.number().int().optional(),
});
export type Place = z.infer<typeof Place>;

export interface Found {
  readonly standing: Standing;
  readonly entry: Entry;
  readonly place: Place;
}

interface Range {
  readonly kind: LaneKind;
  readonly until?: string;
}

/** Sorts after every position of its kind. */
const LAST = '~';
const RANGES: readonly Range[] = [
  { kind: 'T' },
  { kind: 'P', until: parkedPos('idle', LAST) },
  { kind: 'R' },
];

/** Page by page, each read only when the one before is used up. Ready cards only where some may not be offered. */
export async function* unofferedEntries(
  engine: Engine,
  board: Board,
  columns: readonly Column[],
  from: Place | undefined,
): AsyncGenerator<readonly Found[]> {
  const first = Math.max(
    0,
    columns.findIndex(({ column_id }) => column_id === from?.column),
  );
  for (const column of columns.slice(first)) {
    const begun = column.column_id === from?.column ? from : undefined;
    const standing = await standingOf(engine, board, column);
    for (const [lane, range] of RANGES.entries()) {
      if (lane < (begun?.lane ?? 0) || (range.kind === 'R' && !mayWithhold(standing))) continue;
      yield* entriesOf(engine, standing, lane, range, begun?.lane === lane ? begun : undefined);
    }
  }
}

async function* entriesOf(
  engine: Engine,
  standing: Standing,
  lane: number,
  { kind, ...bounds }: Range,
  from: Place | undefined,
): AsyncGenerator<readonly Found[]> {
  const { column_id } = standing.column;
  const start =
    from === undefined
      ? undefined
      : { ...jobKey(from.pk), lane: laneOf(column_id, kind, from.shard), pos: from.pos };
  const range = { ...bounds, limit: REAPER_PAGE, ...(start === undefined ? {} : { start }) };
  for await (const entries of lanePages(engine, column_id, kind, range)) {
    yield entries.map((entry) => ({
      standing,
      entry,
      place: { column: column_id, lane, pk: entry.pk, pos: entry.pos, shard: shardIn(entry.lane) },
    }));
  }
}
