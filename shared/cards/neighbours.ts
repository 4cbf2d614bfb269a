/** The cards that stand next to another in the lane as people see it listed, and the ranks between them. */
import { readLane } from '../claim/lanes.ts';
import type { Deps } from '../deps.ts';
import type { Engine } from '../engine.ts';
import { lanePosition } from '../model/settle.ts';
import { bottomRank, rankBetween } from '../rank.ts';
import type { Job } from '../store/items.ts';
import { jobKey, kindOf, laneOf, type LaneKind } from '../store/keys.ts';

export type Side = 'before' | 'after';

export interface Neighbour {
  readonly pk: string;
  readonly rank: string;
}

/** Timed and finished cards stand in the order of a time; their neighbours are looked for among the ready. */
function ranked(job: Job): Job {
  const timed = job.waiting_on === 'schedule' || job.waiting_on === 'backoff';
  const byTime = timed || job.state === 'leased' || job.state === 'done' || job.state === 'archived';
  return byTime ? { ...job, state: 'ready' } : job;
}

/** Kind of lane and range of the cards that share everything with `job` but the rank. */
export function levelOf(job: Job): { kind: LaneKind; prefix: string } {
  const { lane, pos } = lanePosition({ ...ranked(job), rank: '' });
  return { kind: kindOf(lane), prefix: pos };
}

/**
 * Up to `count` cards next to `job`, nearest first, without the one that is being moved and without any of the
 * same rank, between which nothing fits. As late as the index is.
 */
export async function neighbours(
  engine: Engine,
  job: Job,
  side: Side,
  count: number,
  except: string,
): Promise<Neighbour[]> {
  const { kind, prefix } = levelOf(job);
  const { entries } = await readLane(engine, job.column_id, kind, {
    prefix,
    limit: count + 2,
    ...(side === 'before' ? { reverse: true } : {}),
    start: { ...jobKey(job.pk), lane: laneOf(job.column_id, kind), pos: prefix + job.rank },
  });
  const found = entries.map(({ pk, pos }) => ({ pk, rank: pos.slice(prefix.length) }));
  return found.filter(({ pk, rank }) => pk !== except && rank !== job.rank).slice(0, count);
}

/** A rank on one side of `rank`, as far as the next card there. */
export function rankBeside(deps: Deps, rank: string, side: Side, next: string | undefined): string {
  if (side === 'before') return rankBetween(next ?? '', rank);
  return next === undefined ? rankBelow(deps, rank) : rankBetween(rank, next);
}

/**
 * A rank below the last card's: the present moment's, so that cards created later still come after it. Only a
 * rank ahead of the clock is extended instead.
 */
export function rankBelow(deps: Deps, last: string): string {
  const bottom = bottomRank(deps.now(), () => deps.random());
  return bottom > last ? bottom : rankBetween(last, `${last}z`);
}
