/** What people do about the worker that holds a card. */
import { findColumn } from '../columns.ts';
import { problem } from '../errors.ts';
import { leaseNote, note } from '../jobs.ts';
import { inLane, settle } from '../model/settle.ts';
import { LIMITS } from '../policy.ts';
import { cut } from '../text.ts';
import type { Draft, Step } from './change.ts';
import { edited } from './edit.ts';
import { freed, type Force } from './free.ts';

function mustBeHeld(draft: Draft, what: string): void {
  if (draft.job.state === 'leased') return;
  throw problem(
    'conflict',
    `Nobody holds the card, which is '${draft.job.state}': there is no lease to ${what}.`,
  );
}

/** Asks the holder to stop: it hears of it at its next heartbeat. Asked again, the new reason stands. */
export function cancelRequested(reason = ''): Step {
  return (draft) => {
    mustBeHeld(draft, 'cancel');
    const { job, by, now, before } = draft;
    const asked = note('card.cancel_requested', by, before.job, { ...leaseNote(job), reason });
    const shown = cut(reason, LIMITS.reasonShownBytes);
    const long = shown === reason ? {} : { long: true as const };
    return {
      ...draft,
      job: { ...job, cancel: { by: by.id, reason: shown, at: now, ...long } },
      card: shown === reason ? draft.card : { ...draft.card, cancel_reason: reason },
      op: 'request_cancel',
      events: [...draft.events, asked],
    };
  };
}

/**
 * Ends the lease and puts the card back in its queue, its attempt spent. An expired lease too: so that its late
 * holder cannot come back.
 */
export function reclaimed(reason: string): Step {
  return async (draft) => {
    mustBeHeld(draft, 'end');
    const free = freed(draft, 'revoked', { force: true, reason });
    const { cancel: _cancel, ...job } = free.job;
    const column = await findColumn(draft.engine, job.column_id);
    return {
      ...free,
      job: column === undefined ? inLane({ ...job, state: 'idle' }) : settle(job, column, draft.now),
    };
  };
}

/** Assigns, or with null unassigns. A held card only with `force`: its lease ends, and the card is back in line. */
export function assigned(assignee: string | null, force: Force): Step {
  return async (draft) => {
    // Kept for somebody for a time is not yet assigned to it.
    if ((draft.job.assignee ?? null) === assignee && draft.job.reserved_until === undefined) return draft;
    const taken = draft.job.state === 'leased' && force.force === true;
    const free = taken ? await reclaimed(force.reason ?? '')(draft) : draft;
    return edited({ assignee })(free);
  };
}
