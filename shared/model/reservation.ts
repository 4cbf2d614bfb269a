/**
 * A card kept for one agent for a time: assigned to it, and nobody's again when the time is over. Pure functions;
 * a timer in the column's timed lane tells claims and reaper when to look.
 */
import type { Job } from '../store/items.ts';

type Reserved = Pick<Job, 'assignee' | 'reserved_until'>;

export function reservationOver(job: Reserved, now: number): boolean {
  return job.reserved_until !== undefined && job.reserved_until <= now;
}

export function withoutReservation(job: Job): Job {
  if (job.reserved_until === undefined) return job;
  const { assignee: _assignee, reserved_until: _until, ...free } = job;
  return free;
}

/** Whose the card is at `now`: a reservation that is over assigns it to nobody, whether or not that was written. */
export function assigneeAt(job: Reserved, now: number): string | undefined {
  return reservationOver(job, now) ? undefined : job.assignee;
}
