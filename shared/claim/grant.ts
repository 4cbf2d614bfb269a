/** The grant of a lease: what JOB holds from then on, and the token that its holder shows. */
import { agentName, type Caller, type Engine } from '../engine.ts';
import type { Column } from '../columns.ts';
import { problem } from '../errors.ts';
import { signLeaseToken } from '../lease-token.ts';
import { inLane, tailOf } from '../model/settle.ts';
import type { Actor, Job } from '../store/items.ts';
import { SECOND_MS } from '../units.ts';

export interface Grant {
  readonly agent: string;
  readonly by: Actor;
  /** This hold's own name: a rival for the same run has another. */
  readonly nonce: string;
  readonly ttl_ms: number;
  readonly now: number;
  /** The contract's cap on a lease's whole life in ms, null for none. */
  readonly contract_runtime_ms: number | null;
}

const NONCE_BYTES = 9;

/** @throws Problem `validation_failed` for a lease longer than the contract permits. */
export function mustFitContract(column: Column, ttlSeconds: number | undefined): void {
  const { lease_ttl_seconds: most } = column.contract;
  if (ttlSeconds === undefined || ttlSeconds <= most) return;
  const message = `must be at most the contract's ${most}`;
  throw problem('validation_failed', `lease_ttl_seconds ${message}.`, {
    errors: [{ path: '/lease_ttl_seconds', message }],
  });
}

export function newGrant(
  engine: Engine,
  caller: Caller,
  column: Column,
  ttlSeconds: number | undefined,
): Grant {
  const { lease_ttl_seconds, max_runtime_seconds } = column.contract;
  const agent = agentName(caller);
  return {
    agent,
    by: { type: 'agent', id: agent },
    nonce: engine.deps.secret(NONCE_BYTES),
    ttl_ms: (ttlSeconds ?? lease_ttl_seconds) * SECOND_MS,
    now: engine.deps.now(),
    contract_runtime_ms: max_runtime_seconds === null ? null : max_runtime_seconds * SECOND_MS,
  };
}

/** End of the lease's whole life: the card's own cap before the contract's. */
function maxAt(runtime_ms: number | undefined, grant: Grant): number | undefined {
  const cap = runtime_ms ?? grant.contract_runtime_ms ?? undefined;
  return cap === undefined ? undefined : grant.now + cap;
}

/** The deadline that a grant gives a card with this runtime cap. */
export function deadline(
  runtime_ms: number | undefined,
  grant: Grant,
): { expires_at: number; max_at?: number } {
  const max_at = maxAt(runtime_ms, grant);
  const expires_at = grant.now + grant.ttl_ms;
  return max_at === undefined ? { expires_at } : { expires_at: Math.min(expires_at, max_at), max_at };
}

/** Attributes of the hold before, or of the wait, that a new lease does not inherit. */
export const CLEARED_BY_CLAIM = [
  'waiting_on',
  'not_before',
  'note',
  'progress',
  'beat_at',
  'cancel',
  'op_id',
] as const;

/** The card as its new lease leaves it, counters included. */
export function granted(job: Job, grant: Grant, slot: string | undefined): Job {
  const held: Job = { ...job };
  for (const name of CLEARED_BY_CLAIM) delete held[name];
  delete held.max_at;
  if (slot === undefined) delete held.slot;
  else held.slot = slot;
  return inLane({
    ...held,
    ...deadline(job.max_runtime_ms, grant),
    state: 'leased',
    run: job.run + 1,
    attempt: job.attempt + 1,
    nonce: grant.nonce,
    agent: grant.agent,
    claimed_at: grant.now,
    ttl_ms: grant.ttl_ms,
    since_at: grant.now,
    comments_at_claim: job.comments ?? 0,
    tail: tailOf(job),
  });
}

/** The token of the hold that JOB names; the same whenever it is computed. */
export function tokenOf(engine: Engine, job: Job): string {
  return signLeaseToken(engine.leaseKeys, {
    board_id: job.board_id,
    column_id: job.column_id,
    card_id: job.pk,
    run: job.run,
    nonce: job.nonce ?? '',
    ttl_ms: job.ttl_ms ?? 0,
    claimed_at: job.claimed_at ?? 0,
    max_at: job.max_at ?? null,
    tail: job.tail ?? '',
  });
}
