/** What callers hear: a refusal of the closed table, never a defect, and no trouble of the table where there was none. */
import type { Recording } from '../recording.ts';
import type { Violation } from './violation.ts';

/** Two that break one card down, or link across one graph, at once: the second is told to come again. */
const COLLIDING = new Set(['decompose', 'create-graph']);

export function checkAnswers(recording: Recording): Violation[] {
  const { configuration, calls, calmAt } = recording;
  const { network, outageEveryMs, spellEveryMs, nightHours, killEveryMs, freezeEveryMs } = configuration;
  const troubled =
    outageEveryMs > 0 ||
    spellEveryMs > 0 ||
    nightHours > 0 ||
    Object.values(network).some((rate: number) => rate > 0);
  const mute = troubled || killEveryMs > 0 || freezeEveryMs > 0;
  /** What was frozen or on its way at the end of the faults still meets them. */
  const calm = calmAt + 65_000;
  return calls.flatMap(({ verb, actor, outcome, code = '', invoked }) => {
    const isPassing = code.includes('The table did not answer in time');
    const fault = (what: string): Violation[] => [
      { rule: 'S18', at: invoked, what: `${actor} ${verb}: ${what}` },
    ];
    const excused = (troubled && invoked < calm) || COLLIDING.has(verb);
    if (outcome === 'failed') return isPassing && troubled && invoked < calm ? [] : fault(`failed: ${code}`);
    if (outcome === 'refused' && code === 'throttled')
      return excused ? [] : fault('throttled without a cause');
    if (outcome === 'unknown') return mute && invoked < calm ? [] : fault('no answer came');
    return [];
  });
}
