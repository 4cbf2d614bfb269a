/**
 * Where a card stands in its column, and in which lane: pure functions of the card's facts. A card's state is
 * derived here and nowhere else, so that no verb can leave it in a state that its facts do not bear out.
 */
import {
  agedOrder,
  laneOf,
  latestFirst,
  order,
  parkedPos,
  readyPos,
  shardIn,
  shardOf,
  timedPos,
  type ParkedKind,
} from '../store/keys.ts';
import type { Job } from '../store/items.ts';
import { reservationOver, withoutReservation } from './reservation.ts';
import type { ColumnRole, WaitingOn } from './states.ts';

/** What of a column decides a card's state. */
export interface Place {
  readonly column_id: string;
  readonly role: ColumnRole;
  readonly queue: boolean;
  /** Lanes that its ready and timed cards are spread over. */
  readonly shards: number;
  /** Waiting this long is worth one step of priority; left out, the order is by priority and rank. */
  readonly aging_ms?: number | undefined;
}

/** When the times on a card are all past; 0 when it has none. */
export function eligibleAt(job: Pick<Job, 'scheduled_at' | 'not_before'>): number {
  return Math.max(job.scheduled_at ?? 0, job.not_before ?? 0);
}

/** What keeps a card of a queue from being offered, the first that holds; null when nothing does. */
export function waitsOn(job: Job, now: number): WaitingOn | null {
  if (job.draft) return 'draft';
  if (job.hold) return 'hold';
  if (job.container && !job.subs_done) return 'container';
  if (job.parents_open) return 'parents';
  if (job.input_bad) return 'input';
  if ((job.scheduled_at ?? 0) > now) return 'schedule';
  if ((job.not_before ?? 0) > now) return 'backoff';
  return null;
}

/** The card as it stands in `place` when nobody holds it: state, reason and lane follow from its facts. */
export function settle(job: Job, place: Place, now: number): Job {
  const free = reservationOver(job, now) ? withoutReservation(job) : job;
  const settled: Job = { ...free, column_id: place.column_id };
  delete settled.waiting_on;
  const waiting = waitsOn(job, now);
  if (place.role === 'done') settled.state = 'done';
  else if (!place.queue) settled.state = 'idle';
  else if (waiting === null) settled.state = 'ready';
  else {
    settled.state = 'waiting';
    settled.waiting_on = waiting;
  }
  if (settled.state !== job.state || settled.column_id !== job.column_id) settled.since_at = now;
  const placed = aged(settled, job, place, now);
  return { ...placed, ...lanePosition(placed, shardOf(job.pk, place.shards)) };
}

/** Offered now, or as soon as its time has come. */
const isOffered = ({ state, waiting_on }: Job): boolean =>
  state === 'ready' || waiting_on === 'schedule' || waiting_on === 'backoff';

/** The card with the time that it ages from: noted once, when it comes in, so that nothing is rewritten as time passes. */
function aged(settled: Job, before: Job, place: Place, now: number): Job {
  const { ready_at: since, aging_ms: worth, ...job } = settled;
  if (!isOffered(settled)) return job;
  const stays = isOffered(before) && before.column_id === place.column_id;
  if (stays) {
    const hasAge = since !== undefined && worth !== undefined;
    return hasAge ? { ...job, ready_at: Math.max(since, eligibleAt(job)), aging_ms: worth } : job;
  }
  if (place.aging_ms === undefined) return job;
  return { ...job, ready_at: Math.max(now, eligibleAt(job)), aging_ms: place.aging_ms };
}

/** The card's place among others of its kind, as positions sort. */
export function tailOf({ priority, rank, ready_at, aging_ms }: Job): string {
  return ready_at === undefined || aging_ms === undefined
    ? order(priority, rank)
    : agedOrder(ready_at, priority, aging_ms);
}

/** The same job with the lane and position that its state calls for, in the shard that it stands in. */
export function inLane(job: Job): Job {
  const { lane, pos } = lanePosition(job);
  return { ...job, lane, pos };
}

export function lanePosition(job: Job, shard = shardIn(job.lane)): { lane: string; pos: string } {
  const tail = tailOf(job);
  const parked = (kind: ParkedKind, rest = tail) => ({
    lane: laneOf(job.column_id, 'P'),
    pos: parkedPos(kind, rest),
  });
  switch (job.state) {
    case 'ready':
      return { lane: laneOf(job.column_id, 'R', shard), pos: readyPos(job.assignee, tail) };
    case 'leased':
      return { lane: laneOf(job.column_id, 'T', shard), pos: timedPos(job.expires_at ?? 0, 'h', tail) };
    case 'waiting':
      if (job.waiting_on === 'schedule' || job.waiting_on === 'backoff') {
        return { lane: laneOf(job.column_id, 'T', shard), pos: timedPos(eligibleAt(job), 'w', tail) };
      }
      return parked(job.waiting_on ?? 'hold');
    case 'done':
      return parked('done', latestFirst(job.since_at));
    case 'archived':
      return parked('archived', latestFirst(job.since_at));
    case 'blocked':
    case 'dead':
    case 'idle':
      return parked(job.state);
    case 'deleted':
      throw new RangeError('A deleted card is in no lane');
  }
}

/**
 * The state that a claim would see at `now`: a wait whose time has passed is as good as ready, and a held card
 * stays `leased` (its lease says `expired`).
 */
export function effectiveState(job: Job, now: number): { state: Job['state']; waiting_on: WaitingOn | null } {
  if (job.state !== 'waiting') return { state: job.state, waiting_on: null };
  const waiting = waitsOn(job, now);
  return waiting === null ? { state: 'ready', waiting_on: null } : { state: 'waiting', waiting_on: waiting };
}
