/** Fail: this attempt did not work. With attempts left the card waits out its backoff; without, it is dead. */
import { failurePlace } from '../claim/expire.ts';
import type { Caller, Engine } from '../engine.ts';
import { leaseNote, note } from '../jobs.ts';
import { closeLease, type Ending, type Hold, type LeaseInput } from '../lease.ts';
import { attemptsLeft, backoffMs, deadLettered, refundable, refunded, withoutHold } from '../model/hold.ts';
import { settle } from '../model/settle.ts';
import type { FailBody } from '../schemas/leases.ts';
import { isoOrNull } from '../views/time.ts';

/**
 * Answers the card, its run, whether it dead-lettered, and when it will be tried again. `rate_limited` with a
 * `retry_after_seconds` gives the attempt back, a bounded number of times.
 */
export async function failLease(engine: Engine, caller: Caller, input: FailBody & LeaseInput) {
  const { card, run, stored } = await closeLease(engine, caller, input, 'fail', (hold) =>
    failure(hold, input),
  );
  return {
    card,
    run,
    dead_lettered: stored.dead_lettered === true,
    next_attempt_at: isoOrNull(stored.next_attempt_at),
  };
}

async function failure(hold: Hold, input: FailBody): Promise<Ending> {
  const { engine, job, column, now, agent } = hold;
  const { contract } = column;
  const refund = input.kind === 'rate_limited' && input.retry_after_seconds !== undefined && refundable(job);
  const spent = refund ? refunded(job) : job;
  const retry = input.retryable !== false && attemptsLeft(spent, contract.max_attempts);
  const by = { type: 'agent' as const, id: agent };
  const failed = note('card.lease.failed', by, job, { ...leaseNote(job), reason: input.reason });
  const closing = {
    outcome: 'failed' as const,
    error: input.reason,
    ...(input.metadata === undefined ? {} : { metadata: input.metadata }),
    ...(refund ? { refunded: true as const } : {}),
  };
  if (!retry) {
    const after = deadLettered(spent, await failurePlace(engine, column), now);
    const events = [failed, note('card.lease.deadlettered', by, job, leaseNote(job))];
    return { after, closing: { ...closing, dead_lettered: true }, events };
  }
  const delay = backoffMs(
    contract.backoff_seconds,
    job.attempt,
    contract.backoff_jitter,
    engine.deps.random(),
    input.retry_after_seconds,
  );
  const not_before = now + delay;
  const after = settle({ ...withoutHold(spent), not_before }, column, now);
  return { after, closing: { ...closing, next_attempt_at: not_before }, events: [failed] };
}
