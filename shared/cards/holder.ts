/** A holder's own change of its card: by its token, which must be the card's current one, and which it renews. */
import { resumeLease } from '../claim/resume.ts';
import type { Caller, Engine } from '../engine.ts';
import { isHolder } from '../holder.ts';
import { readLeaseToken, type LeaseClaims } from '../lease-token.ts';
import { lostLease } from '../lost.ts';
import type { Pins } from '../store/conditions.ts';
import type { Job } from '../store/items.ts';
import type { Step } from './change.ts';

/** A hold that its token has renewed, to be written by an op whose row asks for the holder. */
export interface RenewedHold {
  /** As it is stored, after a late holder took the card back. */
  readonly before: Job;
  /** The same with its deadline pushed as a heartbeat would. */
  readonly job: Job;
  readonly pins: Pins;
}

/**
 * The card in its holder's hands. A late holder whose card nobody took takes it back first. With any other token
 * the change is refused with `lease_lost`.
 */
export async function renewedHold(
  engine: Engine,
  caller: Caller,
  job: Job,
  token: string,
): Promise<RenewedHold> {
  const now = engine.deps.now();
  const claims = readLeaseToken(engine.leaseKeys, token);
  if (claims === null || claims.card_id !== job.pk || !isHolder(job, claims, now)) {
    throw await lostLease(engine, caller, job.pk, claims?.card_id === job.pk ? claims.run : job.run);
  }
  const before = job.state === 'leased' ? job : await takenBack(engine, caller, claims, now);
  const expires_at = Math.max(
    before.expires_at ?? 0,
    Math.min(now + claims.ttl_ms, claims.max_at ?? Number.MAX_SAFE_INTEGER),
  );
  return {
    before,
    job: { ...before, expires_at, beat_at: now },
    pins: { nonce: claims.nonce, expires_at },
  };
}

/** The same as a step of a change. */
export function asHolder(token: string): Step {
  return async (draft) => {
    const { before, job, pins } = await renewedHold(draft.engine, draft.caller, draft.job, token);
    return { ...draft, before: { ...draft.before, job: before }, job, op: 'edit_held', pins };
  };
}

async function takenBack(engine: Engine, caller: Caller, claims: LeaseClaims, now: number): Promise<Job> {
  const job = await resumeLease(engine, claims, now);
  if (job === null) throw await lostLease(engine, caller, claims.card_id, claims.run);
  return job;
}
