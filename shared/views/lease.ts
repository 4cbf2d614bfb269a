/** A lease as lists and `GET /v1/leases/{lease}` show it: never its token. */
import { leaseId } from '../ids.ts';
import { leaseExpired } from '../model/hold.ts';
import type { Job, Run } from '../store/items.ts';
import { iso, isoOrNull } from './time.ts';

export function heldLeaseView(job: Job, now: number) {
  return {
    id: leaseId(job.pk, job.run),
    card_id: job.pk,
    board_id: job.board_id,
    column_id: job.column_id,
    agent: job.agent ?? '',
    attempt: job.attempt,
    fence: job.run,
    state: leaseExpired(job, now) ? 'expired' : 'active',
    outcome: null,
    claimed_at: isoOrNull(job.claimed_at),
    expires_at: isoOrNull(job.expires_at),
    heartbeat_at: isoOrNull(job.beat_at),
    max_runtime_at: isoOrNull(job.max_at),
    progress: job.progress ?? null,
    note: job.note ?? null,
    ended_at: null,
  };
}

export function endedLeaseView(run: Run) {
  return {
    id: leaseId(run.pk, run.number),
    card_id: run.pk,
    board_id: run.board_id,
    column_id: run.column_id ?? null,
    agent: run.agent ?? '',
    attempt: run.attempt ?? 0,
    fence: run.number,
    state: 'ended',
    outcome: run.outcome ?? null,
    claimed_at: isoOrNull(run.started_at),
    expires_at: null,
    heartbeat_at: null,
    max_runtime_at: null,
    progress: null,
    note: null,
    ended_at: run.ended_at === undefined ? null : iso(run.ended_at),
  };
}
