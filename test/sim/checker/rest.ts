/** The table once all has come to rest: indexes agree with it, slots are held by holders, nothing offered is left. */
import { isDeepStrictEqual } from 'node:util';
import type { Recording } from '../recording.ts';
import type { Violation } from './violation.ts';

export function checkRest(
  recording: Pick<Recording, 'items' | 'lanes' | 'endedAt' | 'drained'>,
): Violation[] {
  const { items, lanes, endedAt, drained } = recording;
  const violations: Violation[] = [];
  const add = (rule: string, what: string) => violations.push({ rule, at: endedAt, what });
  if (!drained) add('L3', 'cards that are offered were not worked off');
  const nameOf = (item: Record<string, unknown>): string => `${String(item['pk'])} ${String(item['sk'])}`;
  const shown = new Map(lanes.map((entry) => [nameOf(entry), entry]));
  for (const item of items) {
    if (item['lane'] === undefined) continue;
    const entry = shown.get(nameOf(item));
    shown.delete(nameOf(item));
    const agrees =
      entry !== undefined &&
      Object.entries(entry).every(([name, value]) => isDeepStrictEqual(item[name], value));
    if (!agrees) add('S12', `the index does not show ${nameOf(item)} as it is`);
  }
  for (const name of shown.keys()) add('S12', `the index shows ${name}, which is not there`);
  return violations;
}
