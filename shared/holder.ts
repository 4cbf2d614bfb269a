/** Whether a token is a card's current one: the one question that every write of a holder asks. */
import type { LeaseClaims } from './lease-token.ts';
import type { Job } from './store/items.ts';

/** True while JOB names this hold and its permitted life is not over. */
export function isHolder(job: Job, claims: LeaseClaims, now: number): boolean {
  const alive = claims.max_at === null || now < claims.max_at;
  return job.run === claims.run && job.nonce === claims.nonce && alive;
}
