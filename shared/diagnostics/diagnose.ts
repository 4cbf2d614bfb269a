/** Why one card is not offered, and what would change that; null for one that is, or that is over. */
import type { Engine } from '../engine.ts';
import { leaseExpired } from '../model/hold.ts';
import { effectiveState } from '../model/settle.ts';
import type { WaitingOn } from '../model/states.ts';
import type { Job } from '../store/items.ts';
import { iso } from '../views/time.ts';
import { patch, post, type Diagnosis } from './codes.ts';
import { withheld, type Standing } from './standing.ts';
import { failsInput, waitsForParents, waitsForSubCards } from './waits.ts';

export async function diagnose(engine: Engine, standing: Standing, job: Job): Promise<Diagnosis | null> {
  const { column } = standing;
  if (standing.closed !== null) return isOver(job) ? null : standing.closed;
  const now = engine.deps.now();
  const { state, waiting_on } = effectiveState(job, now);
  switch (state) {
    case 'waiting':
      return waiting(engine, job, waiting_on);
    case 'idle':
      return {
        code: 'not_in_a_queue',
        sentence: `It stands in '${column.item.name}', from which nothing is claimed.`,
        action: post('promoteCard', job.pk, 'promote'),
      };
    case 'blocked':
      return {
        code: 'blocked',
        sentence: `${job.block?.by ?? 'Somebody'} blocked it: ${job.block?.reason ?? 'no reason is kept'}`,
        action: post('unblockCard', job.pk, 'unblock'),
      };
    case 'dead':
      return {
        code: 'dead',
        sentence: `It is dead: after attempt ${job.attempt} there is no other. Its runs say why.`,
        action: post('redriveCard', job.pk, 'redrive'),
      };
    case 'leased':
      return leaseExpired(job, now) ? withheld(engine, standing, job) : held(job);
    case 'ready':
      return withheld(engine, standing, job);
    case 'done':
    case 'archived':
    case 'deleted':
      return null;
  }
}

const isOver = ({ state }: Job): boolean => state === 'done' || state === 'archived' || state === 'deleted';

function held(job: Job): Diagnosis {
  return {
    code: 'held',
    sentence: `${job.agent ?? 'A worker'} holds it until ${iso(job.expires_at ?? 0)}.`,
    action: post('reclaimCard', job.pk, 'reclaim', { reason: 'Taken back from the diagnostics' }),
  };
}

async function waiting(engine: Engine, job: Job, on: WaitingOn | null): Promise<Diagnosis> {
  switch (on) {
    case 'draft':
      return { code: 'draft', sentence: 'It is a draft.', action: patch(job.pk, { draft: false }) };
    case 'container':
      return waitsForSubCards(engine, job);
    case 'parents':
      return waitsForParents(engine, job);
    case 'input':
      return failsInput(engine, job);
    case 'schedule':
      return {
        code: 'scheduled',
        sentence: `It is scheduled for ${iso(job.scheduled_at ?? 0)}.`,
        action: patch(job.pk, { scheduled_at: null }),
      };
    case 'backoff':
      return {
        code: 'backing_off',
        sentence: `An attempt failed; it is tried again at ${iso(job.not_before ?? 0)}.`,
        action: post('promoteCard', job.pk, 'promote'),
      };
    case 'hold':
    case null:
      return {
        code: 'on_hold',
        sentence: 'Somebody put it on hold.',
        action: post('unholdCard', job.pk, 'unhold'),
      };
  }
}
