/**
 * Taking a card out of a worker's hands, for verbs that a lease would stand in the way of. Not without `force`:
 * nobody loses work by a slip of the mouse. The worker hears of it at its next call.
 */
import { problem } from '../errors.ts';
import { leaseNote, note } from '../jobs.ts';
import { leaseExpired, withoutHold } from '../model/hold.ts';
import { closeRun } from '../runs.ts';
import type { Job } from '../store/items.ts';
import { iso } from '../views/time.ts';
import type { Draft } from './change.ts';

export interface Force {
  readonly force?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** What was done to the card, as the worker that lost it is told. */
export type Why = 'moved' | 'archived' | 'deleted' | 'revoked';

/** Refuses while a worker holds the card; an expired lease holds nothing. */
export function mustBeFree(job: Job, now: number): void {
  if (job.state !== 'leased' || leaseExpired(job, now)) return;
  throw problem(
    'lease_held',
    `The card is held by '${job.agent ?? ''}'. Wait until its lease ends, ask it to stop with :request-cancel, ` +
      'or take the card away with force: true and a reason.',
    { holder: job.agent ?? '', expires_at: iso(job.expires_at ?? 0) },
  );
}

/**
 * The card with no lease and no token that could still act: a late holder's nonce goes too. The job is not in a
 * lane yet; the step that asked for it says where it stands.
 */
export function freed(draft: Draft, why: Why, { force, reason }: Force): Draft {
  const { job, before, by, now } = draft;
  if (force !== true) mustBeFree(job, now);
  if (job.state !== 'leased') return { ...draft, job: withoutHold(job) };
  const { write } = closeRun(
    job,
    { outcome: 'reclaimed', verb: 'reclaim', by: by.id, why, error: reason ?? 'The lease had expired' },
    now,
  );
  const revoked = note('card.lease.revoked', by, before.job, {
    ...leaseNote(job),
    ...(reason === undefined ? {} : { reason }),
  });
  return {
    ...draft,
    job: withoutHold(job),
    op: 'reclaim',
    events: [...draft.events, revoked],
    also: [...draft.also, write],
  };
}
