/** A holder's own change of its card: by its token, which must be the card's current one, and which it renews. */
import { resumeLease } from '../claim/resume.ts';
import { isHolder } from '../holder.ts';
import { readLeaseToken, type LeaseClaims } from '../lease-token.ts';
import { lostLease } from '../lost.ts';
import type { Draft, Step } from './change.ts';

/**
 * The draft as its holder's, its deadline pushed as a heartbeat would. A late holder whose card nobody took takes
 * it back first. With any other token the change is refused with `lease_lost`.
 */
export function asHolder(token: string): Step {
  return async (draft) => {
    const { engine, caller, job, now } = draft;
    const claims = readLeaseToken(engine.leaseKeys, token);
    if (claims === null || claims.card_id !== job.pk || !isHolder(job, claims, now)) {
      throw await lostLease(engine, caller, job.pk, claims?.card_id === job.pk ? claims.run : job.run);
    }
    const held = job.state === 'leased' ? draft : await takenBack(draft, claims);
    const expires_at = Math.max(
      held.job.expires_at ?? 0,
      Math.min(now + claims.ttl_ms, claims.max_at ?? Number.MAX_SAFE_INTEGER),
    );
    return {
      ...held,
      job: { ...held.job, expires_at, beat_at: now },
      op: 'edit_held',
      pins: { nonce: claims.nonce, expires_at },
    };
  };
}

async function takenBack(draft: Draft, claims: LeaseClaims): Promise<Draft> {
  const { engine, caller, now } = draft;
  const job = await resumeLease(engine, claims, now);
  if (job === null) throw await lostLease(engine, caller, claims.card_id, claims.run);
  return { ...draft, job, before: { ...draft.before, job } };
}
