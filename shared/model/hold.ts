/**
 * How a hold begins and ends, as pure functions from card to card. None of them reads or writes; the verbs do.
 */
import { MAX_REFUNDS } from '../policy.ts';
import { bottomRank } from '../rank.ts';
import type { Job } from '../store/items.ts';
import { withoutReservation } from './reservation.ts';
import { inLane, settle, type Place } from './settle.ts';

/** True when the lease's time has passed; its card is offered again, whether or not the reaper ran. */
export function leaseExpired(job: Job, now: number): boolean {
  return job.state === 'leased' && (job.expires_at ?? 0) <= now;
}

/** True when the lease has lived as long as it ever may: no renewal helps, and the token is dead. */
export function lifeOver(job: Pick<Job, 'max_at'>, now: number): boolean {
  return job.max_at !== undefined && job.max_at <= now;
}

/** The card without its holder. The nonce goes too, and with it every token. */
export function withoutHold(job: Job): Job {
  const free = withoutLease(job);
  delete free.nonce;
  return free;
}

/** The card without its lease, the nonce kept: a late holder whose card nobody took may still come back. */
export function withoutLease(job: Job): Job {
  const {
    agent: _agent,
    claimed_at: _claimed,
    expires_at: _expires,
    ttl_ms: _ttl,
    max_at: _max,
    note: _note,
    progress: _progress,
    beat_at: _beat,
    slot: _slot,
    ...free
  } = job;
  return free;
}

/** The trace that a worker leaves which went quiet. */
export function abandonedBy(job: Job, now: number): Pick<Job, 'abandoned'> {
  return { abandoned: { agent: job.agent ?? '', attempt: job.attempt, at: now, run: job.run } };
}

export function attemptsLeft(job: Job, contractMax: number): boolean {
  return job.attempt < (job.max_attempts ?? contractMax);
}

/** True while the stage may still give attempts back: unbounded, a card could cycle for ever. */
export function refundable(job: Job): boolean {
  return (job.refunds ?? 0) < MAX_REFUNDS;
}

export function refunded(job: Job): Job {
  return { ...job, attempt: job.attempt - 1, refunds: (job.refunds ?? 0) + 1 };
}

/**
 * Dead-lettered: a state, with an optional move. It remembers the queue that it died in, for redrive.
 * `failure` is the column that the contract names, null to stay in place.
 */
export function deadLettered(job: Job, failure: Place | null, now: number): Job {
  const { waiting_on: _waiting, not_before: _before, cancel: _cancel, ...dead } = withoutHold(job);
  return inLane({
    ...dead,
    state: 'dead',
    since_at: now,
    died_in: job.column_id,
    column_id: failure?.column_id ?? job.column_id,
  });
}

/**
 * The card at the bottom of another column, its stage begun anew: attempts and refunds count per stage (a column
 * that is no queue begins none and keeps showing them), and waits of the old stage end. Facts that people set (draft, hold, schedule) stay.
 */
export function entering(job: Job, place: Place, now: number, random: () => number): Job {
  const {
    refunds: _refunds,
    not_before: _before,
    abandoned: _abandoned,
    cancel: _cancel,
    block: _block,
    died_in: _died,
    ...fresh
  } = withoutReservation(withoutHold(job));
  const attempt = place.queue ? 0 : job.attempt;
  return settle({ ...fresh, attempt, rank: bottomRank(now, random) }, place, now);
}

/** Done in place: the column's contract names no success column. */
export function doneInPlace(job: Job, now: number): Job {
  const { waiting_on: _waiting, abandoned: _abandoned, cancel: _cancel, ...rest } = withoutHold(job);
  return inLane({ ...rest, state: 'done', since_at: now });
}

/** Delay before the next attempt in ms: jitter only ever adds, so nothing returns early. */
export function backoffMs(
  steps: readonly number[],
  attempt: number,
  jitter: number,
  chance: number,
  retryAfterSeconds?: number,
): number {
  const step = steps[Math.min(Math.max(attempt, 1), steps.length) - 1] ?? 0;
  return Math.ceil((retryAfterSeconds ?? step) * 1_000 * (1 + jitter * chance));
}
