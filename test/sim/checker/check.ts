/** All that must hold of a recording, whatever made it: a simulation, a test, a run against a real table. */
import { checkAnswers } from './answers.ts';
import { checkConservation } from './conservation.ts';
import { checkEvents } from './events.ts';
import { checkHolders } from './holders.ts';
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
    ...checkAttempts(recording, (columnId) => attemptsIn(recording, columnId)),
    ...checkRuns(recording),
    ...checkHolders(recording),
    ...checkLimits(recording),
    ...checkConservation(recording),
    ...checkEvents(recording),
    ...checkRest(recording),
    ...checkAnswers(recording),
  ].toSorted((a, b) => a.at - b.at);
}

/** The most that any contract of the column ever allowed. */
function attemptsIn(recording: Recording, columnId: string): number | null {
  const bounds = recording.changes
    .filter(({ key, after }) => key.sk === 'COLUMN' && key.pk === columnId && after !== undefined)
    .map(({ after }) => parseStoredContract((after as unknown as ColumnItem).contract))
    .filter(({ enabled }) => enabled)
    .map(({ max_attempts }) => max_attempts);
  return bounds.length === 0 ? null : Math.max(...bounds);
}
