/** All that must hold of a recording, whatever made it: a simulation, a test, a run against a real table. */
import { checkAnswers } from './answers.ts';
import { checkConservation } from './conservation.ts';
import { checkEvents } from './events.ts';
import { checkHolders } from './holders.ts';
import { checkIsolation } from './isolation.ts';
import { checkLimits } from './limits.ts';
import { checkRest } from './rest.ts';
import { checkRuns } from './runs.ts';
import { checkAttempts, checkTransitions } from './transitions.ts';
import type { Recording } from '../recording.ts';
import type { ColumnItem } from '../../../shared/store/items.ts';
import { parseStoredContract } from '../../../shared/contract/settings.ts';
import type { Violation } from './violation.ts';

/** Every violation, the earliest first; none for a sound history. */
export function check(recording: Recording): Violation[] {
  return [
    ...checkTransitions(recording),
    ...checkAttempts(recording, attemptsIn(recording)),
    ...checkRuns(recording),
    ...checkHolders(recording),
    ...checkLimits(recording),
    ...checkConservation(recording),
    ...checkEvents(recording),
    ...checkRest(recording),
    ...checkAnswers(recording),
    ...checkIsolation(recording),
  ].toSorted((a, b) => a.at - b.at);
}

/** The most that any contract of a column ever allowed. */
function attemptsIn({ changes }: Recording): (columnId: string) => number | null {
  const bounds = new Map<string, number>();
  for (const { key, after } of changes) {
    if (key.sk !== 'COLUMN' || after === undefined) continue;
    const { enabled, max_attempts } = parseStoredContract((after as unknown as ColumnItem).contract);
    if (enabled) bounds.set(key.pk, Math.max(bounds.get(key.pk) ?? 0, max_attempts));
  }
  return (columnId) => bounds.get(columnId) ?? null;
}
