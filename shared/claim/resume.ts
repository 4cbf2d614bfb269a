/** A late holder taking its card back: the lease expired, the card went back to its queue, nobody took it. */
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { decideUntilWritten, leaseNote, note, readJob, type Decision } from '../jobs.ts';
import type { LeaseClaims } from '../lease-token.ts';
import { problem, type Problem } from '../errors.ts';
import { isHolder } from '../holder.ts';
import { waitsOn, inLane } from '../model/settle.ts';
import { readRun, reopenRun } from '../runs.ts';
import type { Job } from '../store/items.ts';
import { slotFor } from './adopt.ts';
import type { FreeSlot } from './slots.ts';

/**
 * The card leased again under the same token and attempt, by a claim's own conditions: pause, limit and slot
 * apply. Null when somebody was quicker; `conflict` when the card is still to be had and the column lets nobody
 * have it now: the holder may still complete, and may ask again.
 */
export async function resumeLease(engine: Engine, claims: LeaseClaims, now: number): Promise<Job | null> {
  return decideUntilWritten(engine, async (): Promise<Decision<Job | null>> => {
    const [job, run, column] = await Promise.all([
      readJob(engine, claims.card_id),
      readRun(engine, claims.card_id, claims.run),
      findColumn(engine, claims.column_id),
    ]);
    if (job === undefined || column === undefined || !isHolder(job, claims, now)) return { answer: null };
    if (job.state === 'leased') return { answer: job };
    if (column.paused) throw notNow('the column is paused');
    if (!column.queue || waitsOn(job, now) !== null) throw notNow('the card is not to be offered');
    const agent = run?.agent ?? job.abandoned?.agent ?? '';
    const slot = await slotFor(engine, column, agent);
    if (slot === 'full') throw notNow('the limit on leases is reached');
    const after = resumed(job, claims, agent, now, slot);
    const by = { type: 'agent' as const, id: after.agent ?? '' };
    return {
      change: {
        op: 'resume',
        before: job,
        after,
        events: [note('card.lease.resumed', by, job, leaseNote(after))],
        pins: { nonce: claims.nonce },
      },
      also: [reopenRun(job.pk, job.run), ...(slot?.writes(job.pk) ?? [])],
      result: (written) => written,
    };
  });
}

function notNow(why: string): Problem {
  return problem(
    'conflict',
    `The lease has expired and cannot be taken back now: ${why}. Until somebody else takes the card you may still ` +
      'complete, fail or release it, or renew again later.',
  );
}

function resumed(job: Job, claims: LeaseClaims, agent: string, now: number, slot: FreeSlot | null): Job {
  const { abandoned: _abandoned, waiting_on: _waiting, not_before: _before, ...rest } = job;
  return inLane({
    ...rest,
    state: 'leased',
    agent,
    claimed_at: claims.claimed_at,
    ttl_ms: claims.ttl_ms,
    expires_at: Math.min(now + claims.ttl_ms, claims.max_at ?? Number.MAX_SAFE_INTEGER),
    ...(claims.max_at === null ? {} : { max_at: claims.max_at }),
    ...(slot === null ? {} : { slot: slot.name }),
    tail: claims.tail,
    beat_at: now,
    since_at: now,
  });
}
