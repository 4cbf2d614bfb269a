/** Attempts as they are kept: each has one outcome, its own hold's, and none is forgotten. */
import type { Item } from '../../../shared/store/params.ts';
import { RUN_PREFIX, runKey } from '../../../shared/store/keys.ts';
import type { Recording } from '../recording.ts';
import { isClaimOp, jobChanges } from './job-log.ts';
import type { Violation } from './violation.ts';

const nameOf = (cardId: string, run: number): string => `${cardId} run ${run}`;

export function checkRuns(recording: Recording): Violation[] {
  return [...checkOutcomes(recording), ...checkKept(recording)];
}

function checkOutcomes(recording: Recording): Violation[] {
  const nonces = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { at, key, before, after } of recording.changes) {
    if (key.sk === 'JOB' && after !== undefined && isClaimOp(String(after['op']))) {
      nonces.set(nameOf(key.pk, Number(after['run'])), String(after['nonce']));
    }
    if (!key.sk.startsWith(RUN_PREFIX) || after === undefined) continue;
    const run = nameOf(key.pk, Number(after['number']));
    const fault = changedOutcome(before, after) ?? foreignHold(after, nonces.get(run));
    if (fault !== null) violations.push({ rule: 'S2', at, what: `${run}: ${fault}` });
  }
  return violations;
}

/** An outcome stands, but for one that expired: its late holder may take the card back, or end it after all. */
function changedOutcome(before: Item | undefined, after: Item): string | null {
  const was = before?.['outcome'];
  const is = after['outcome'];
  if (was === undefined || was === is) return null;
  if (was === 'expired' && (is === undefined || after['late'] === true)) return null;
  return `its outcome went from ${JSON.stringify(was)} to ${JSON.stringify(is)}`;
}

function foreignHold(after: Item, nonce: string | undefined): string | null {
  if (after['nonce'] === undefined || nonce === undefined || after['nonce'] === nonce) return null;
  return 'it was closed by another hold';
}

/** At the end each hold that was ever given has its run, ended unless it is the present one. */
function checkKept(recording: Recording): Violation[] {
  const items = new Map(
    recording.items.map((item) => [`${String(item['pk'])}\n${String(item['sk'])}`, item]),
  );
  const last = new Map(jobChanges(recording).map(({ cardId, after }) => [cardId, after]));
  const violations: Violation[] = [];
  for (const [cardId, job] of last) {
    if (job === undefined || job.state === 'deleted') continue;
    for (let number = 1; number <= job.run; number += 1) {
      if (number === job.run && job.state === 'leased') continue;
      const { pk, sk } = runKey(cardId, number);
      if (items.get(`${pk}\n${sk}`)?.['outcome'] !== undefined) continue;
      violations.push({
        rule: 'S2',
        at: recording.endedAt,
        what: `${nameOf(cardId, number)} has no outcome`,
      });
    }
  }
  return violations;
}
