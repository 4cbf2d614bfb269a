/**
 * Where a moved card goes: a rank between two neighbours, and the priority of the card it is put beside. Neighbours
 * are those of the lane as people see it listed: same lane, same assignee, same priority.
 */
import { byOrder, readLane, readLanes, shardsUpTo } from '../claim/lanes.ts';
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { notFound, problem } from '../errors.ts';
import { parseJob, readJob } from '../jobs.ts';
import { RANK_MAX } from '../policy.ts';
import { bottomRank } from '../rank.ts';
import type { Job } from '../store/items.ts';
import { jobKey, order, parkedPrefix } from '../store/keys.ts';
import { neighbours, rankBeside, type Side } from './neighbours.ts';
import { respaced } from './respace.ts';

export interface Where {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly top?: true | undefined;
  readonly bottom?: true | undefined;
}

export interface Spot {
  readonly priority: number;
  readonly rank: string;
}

/** True for a place that somebody chose, not just the bottom. */
export const isChosen = (where: Where): boolean =>
  where.before !== undefined || where.after !== undefined || where.top === true;

/**
 * The place in `column` for `job`. The bottom is that of the card's own priority; the top is before the
 * column's first card, and takes its priority when that is higher: what is dragged to the top goes next.
 */
export async function findSpot(engine: Engine, job: Job, column: Column, where: Where): Promise<Spot> {
  const beside = where.before ?? where.after;
  if (beside !== undefined) {
    const other = await anchor(engine, job, column, beside);
    return besideCard(engine, job, other, where.before === undefined ? 'after' : 'before');
  }
  if (where.top === true) return topSpot(engine, job, column);
  return { priority: job.priority, rank: bottomRank(engine.deps.now(), () => engine.deps.random()) };
}

/** The card that the request names as neighbour: it must stand in the target column. */
async function anchor(engine: Engine, job: Job, column: Column, cardId: string): Promise<Job> {
  const other = await readJob(engine, cardId);
  if (other === undefined || other.state === 'deleted' || other.board_id !== job.board_id) {
    throw notFound('card', cardId);
  }
  if (other.pk === job.pk)
    throw problem('conflict', 'A card cannot be put beside itself. Name another card.');
  if (other.column_id !== column.column_id || other.state === 'archived') {
    throw problem(
      'conflict',
      `The card ${other.pk} does not stand in '${column.item.name}'. Read the column again.`,
    );
  }
  return other;
}

async function besideCard(engine: Engine, job: Job, other: Job, side: Side): Promise<Spot> {
  const [next] = await neighbours(engine, other, side, 1, job.pk);
  const rank = rankBeside(engine.deps, other.rank, side, next?.rank);
  const { priority } = other;
  if (rank.length <= RANK_MAX) return { priority, rank };
  return { priority, rank: await respaced(engine, job, other, side) };
}

async function topSpot(engine: Engine, job: Job, column: Column): Promise<Spot> {
  const first = await firstOf(engine, job, column);
  if (first === undefined || first.priority < job.priority) {
    return { priority: job.priority, rank: bottomRank(engine.deps.now(), () => engine.deps.random()) };
  }
  return besideCard(engine, job, first, 'before');
}

/** The card that goes first in the column as this card's claimers see it: nobody's, and its assignee's. */
async function firstOf(engine: Engine, job: Job, column: Column): Promise<Job | undefined> {
  const ids = column.queue ? await firstInQueue(engine, job, column) : await firstParked(engine, column);
  const items = await engine.store.batchGet(ids.filter((id) => id !== job.pk).map(jobKey));
  const jobs = items.flatMap((item) => (item === undefined ? [] : [parseJob(item, column.column_id)]));
  const here = jobs.filter((other) => other.column_id === column.column_id && other.pk !== job.pk);
  return here.sort((a, b) => (order(a.priority, a.rank) < order(b.priority, b.rank) ? -1 : 1))[0];
}

/** Enough to have a first one left when the card itself is among them. */
const FIRST = 2;

async function firstInQueue(engine: Engine, job: Job, column: Column): Promise<string[]> {
  const shards = shardsUpTo(column.shardsRead);
  const { ready, timed } = await readLanes(engine, column.column_id, job.assignee ?? null, FIRST, shards);
  const now = engine.deps.now();
  const due = timed.filter(({ at }) => at.kind === 'w' && at.due <= now);
  return [...ready, ...due]
    .sort(byOrder)
    .slice(0, FIRST)
    .map(({ pk }) => pk);
}

async function firstParked(engine: Engine, column: Column): Promise<string[]> {
  const { entries } = await readLane(engine, column.column_id, 'P', {
    prefix: parkedPrefix('idle'),
    limit: FIRST,
  });
  return entries.map(({ pk }) => pk);
}
