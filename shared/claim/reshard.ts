/**
 * Re-sharding: the number of a column's shards may change while it is worked on. From the PUT on cards are put where the
 * new number has them and claims read every lane that the column ever had; the reaper moves what still stands
 * elsewhere, and claims read the new lanes alone once a pass over all of them, begun when every contract of before was
 * forgotten, has found nothing to move. Lanes given up are looked into ever after: a writer that slept over all of
 * this costs its card a minute and not its place.
 */
import { forget, type Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { GOING_SETTLE_MS, REAPER_MOVES, REAPER_PAGE, STEP_CARDS } from '../policy.ts';
import { conditionOf, expression } from '../store/conditions.ts';
import { columnKey, jobKey, laneOf, shardOf, type LaneKind } from '../store/keys.ts';
import { pagesOf, shardsUpTo, type Entry } from './lanes.ts';

/** Moves cards to the shard that is theirs, until all are there or `until` (ms) has come. Answers how many it moved. */
export async function tendShards(engine: Engine, column: Column, until: number): Promise<number> {
  const { reshard_at: since, shards_ever: ever = 1 } = column.item;
  const began = engine.deps.now();
  // Those given up first: all that stands in them goes, and claims must read them until then.
  const given = shardsUpTo(Math.max(ever, column.shards)).toReversed();
  const pass = await moveFrom(
    engine,
    column,
    since === undefined ? given.filter((shard) => shard >= column.shards) : given,
    until,
  );
  const settled = pass.whole && pass.found === 0;
  if (since !== undefined && settled && began >= since + GOING_SETTLE_MS) await settle(engine, column, since);
  return pass.moved;
}

interface Pass {
  /** Every lane was read to its end. */
  whole: boolean;
  found: number;
  moved: number;
}

async function moveFrom(
  engine: Engine,
  column: Column,
  shards: readonly number[],
  until: number,
): Promise<Pass> {
  const pass: Pass = { whole: true, found: 0, moved: 0 };
  for (const shard of shards) {
    for (const kind of ['R', 'T'] as const) {
      for await (const entries of pagesOf(engine, laneOf(column.column_id, kind, shard), {
        limit: REAPER_PAGE,
      })) {
        const strayed = entries.filter(({ pk }) => shardOf(pk, column.shards) !== shard);
        pass.found += strayed.length;
        pass.moved += await moveAll(engine, column, kind, strayed);
        if (engine.deps.now() < until && pass.found < REAPER_MOVES) continue;
        return { ...pass, whole: false };
      }
    }
  }
  return pass;
}

async function moveAll(
  engine: Engine,
  column: Column,
  kind: LaneKind,
  entries: readonly Entry[],
): Promise<number> {
  let moved = 0;
  for (let at = 0; at < entries.length; at += STEP_CARDS) {
    const done = await Promise.all(
      entries.slice(at, at + STEP_CARDS).map(async (entry) => move(engine, column, kind, entry)),
    );
    moved += done.filter(Boolean).length;
  }
  return moved;
}

/**
 * To the same kind of lane of another shard, silently. On the lane alone: whatever else a writer changes meanwhile
 * holds there too, and one that changes the lane has put the card where it belongs.
 */
async function move(engine: Engine, column: Column, kind: LaneKind, entry: Entry): Promise<boolean> {
  const lane = laneOf(column.column_id, kind, shardOf(entry.pk, column.shards));
  const written = await engine.store.write({
    kind: 'update',
    key: jobKey(entry.pk),
    set: { lane, op: 'reshard' },
    remove: [],
    condition: conditionOf('reshard', { lane: entry.lane }),
  });
  return written.ok;
}

async function settle(engine: Engine, column: Column, since: number): Promise<void> {
  await engine.store.write({
    kind: 'update',
    key: columnKey(column.column_id),
    set: {},
    remove: ['reshard_at'],
    condition: expression('#reshard_at = :c_since', { since }),
  });
  forget(engine, { columnId: column.column_id });
}
