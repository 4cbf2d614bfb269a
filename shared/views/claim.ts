/** What a claim answers: the whole card, its lease, and the token that is given here and nowhere else. */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { leaseId } from '../ids.ts';
import type { ContextView } from '../context/context.ts';
import { tokenOf } from '../claim/grant.ts';
import { BEATS_PER_LEASE } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { cardView, leaseView, type CardParts } from './card.ts';
import { iso } from './time.ts';
import { SECOND_MS } from '../units.ts';

/** When to beat next: a third of the lease, so that two lost heartbeats in a row leave it valid. */
export function renewAfterSeconds(job: Job): number {
  return Math.max(1, Math.floor((job.ttl_ms ?? 0) / BEATS_PER_LEASE / SECOND_MS));
}

export function claimView(engine: Engine, column: Column, parts: CardParts) {
  const { job } = parts;
  const now = engine.deps.now();
  return {
    card: cardView(parts, now),
    lease_id: leaseId(job.pk, job.run),
    lease_token: tokenOf(engine, job),
    fence: job.run,
    attempt: job.attempt,
    max_attempts: job.max_attempts ?? column.contract.max_attempts,
    expires_at: iso(job.expires_at ?? now),
    renew_after_seconds: renewAfterSeconds(job),
    server_time: iso(now),
    lease: leaseView(job, now),
  };
}
export type ClaimView = ReturnType<typeof claimView> & { readonly context?: ContextView };
