/** The scary states: a run of any length must have been in each of them, or it has proved less than it says. */
import { jobChanges } from './checker/job-log.ts';
import { isStranger } from './checker/isolation.ts';
import type { Counters } from './counters.ts';
import type { Recording } from './recording.ts';

/** What every long run must meet. Those by op are counted from the table's changes. */
export const SCARY = [
  'op: supersede',
  'op: takeover',
  'op: resume',
  'op: expire',
  'op: time_out',
  'op: rearm',
  'op: adopt',
  'op: reslot',
  'op: reshard',
  'op: exhaust',
  'op: claim_checked',
  'op: check_input',
  'op: promote',
  'op: wake',
  'op: reclaim',
  'op: redrive',
  'late renew accepted',
  'dead-lettered',
  'slot found dead',
  'lease lost',
  'own earlier write refused its repeat',
  'write carried out twice',
  'claim answered again',
  'window widened',
  'stale index entry',
  'empty answer though a card was ready',
  'fault: conflict',
  'fault: late',
  'fault: lostAnswer',
  'fault: lostRequest',
  'fault: throttle',
  'fault: throttleApplied',
  'fault: unprocessed',
  'the SDK gave up',
  'instance killed',
  'instance frozen',
  'reaper killed',
  'outage',
  'fan-out killed',
  'batch delivered twice',
  'batch failed in part',
  'read again from further back',
  'reaper late',
  'reaper skipped',
  'reaper twice',
  'throttled: table',
  'throttled: lanes',
  'throttled: by_board',
  'clock put forward',
  'clock put back',
  'night',
  'expired item left lying',
  'expired item removed',
  'stranger refused',
] as const;

/** Adds what the recording tells of; what only the run itself knows, it has counted. */
export function countScary(recording: Recording, counters: Counters): void {
  for (const { before, after } of jobChanges(recording)) {
    if (after === undefined) continue;
    counters.add(`op: ${after.op}`);
    if (after.state === 'dead' && before?.state !== 'dead') counters.add('dead-lettered');
    const wasLate = after.op === 'renew' && (before?.expires_at ?? 0) <= (after.beat_at ?? 0);
    if (wasLate || after.op === 'resume') counters.add('late renew accepted');
  }
  for (const { key, before, after } of recording.changes) {
    if (key.pk.startsWith('SLOT#') && before !== undefined && after !== undefined)
      counters.add('slot found dead');
  }
  for (const { actor, outcome, code } of recording.calls) {
    if (code === 'lease_lost') counters.add('lease lost');
    if (isStranger(actor) && outcome === 'refused') counters.add('stranger refused');
  }
}
