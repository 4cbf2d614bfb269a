/** Hiding a card and bringing it back. */
import { mustAllow, note } from '../jobs.ts';
import { inLane, settle } from '../model/settle.ts';
import type { Job } from '../store/items.ts';
import { columnOfDraft, type Draft, type Step } from './change.ts';
import { keyRetaken } from './dedupe.ts';
import { freed, type Force } from './free.ts';

/** States that a card's facts do not tell, kept through the time that it is hidden. */
function hiddenState(job: Job): Pick<Job, 'archived_from'> {
  const { state } = job;
  return state === 'done' || state === 'dead' || state === 'blocked' ? { archived_from: state } : {};
}

/** Archived already, nothing changes: a repeat after a lost answer is no conflict. */
export function archived(force: Force): Step {
  return (draft) => {
    if (draft.job.state === 'archived') return draft;
    const free = freed(draft, 'archived', force);
    const { waiting_on: _waiting, cancel: _cancel, ...job } = free.job;
    const hidden: Job = { ...job, ...hiddenState(job), state: 'archived', since_at: draft.now };
    return {
      ...free,
      job: inLane(hidden),
      op: free.op === 'reclaim' ? 'reclaim' : 'archive',
      events: [...free.events, note('card.archived', draft.by, draft.before.job)],
      edited: true,
    };
  };
}

/** Back where it stood, in the state that it had; what it waited for may have come meanwhile. */
export const unarchived: Step = async (draft) => {
  if (draft.job.state !== 'archived') return draft;
  mustAllow('unarchive', draft.job);
  const column = await columnOfDraft(draft);
  const { archived_from: state, ...job } = draft.job;
  const stood: Job = { ...job, column_id: column?.column_id ?? job.column_id, since_at: draft.now };
  const shown = state === undefined ? undefined : inLane({ ...stood, state });
  const derived =
    column === undefined ? inLane({ ...stood, state: 'idle' }) : settle(stood, column, draft.now);
  const next: Draft = {
    ...draft,
    job: shown ?? derived,
    op: 'unarchive',
    events: [...draft.events, note('card.unarchived', draft.by, draft.before.job)],
    edited: true,
  };
  return keyRetaken(next);
};
