/** What goes in stays in, nothing comes from nowhere, and a repeated request is one request. */
import type { Call, Recording } from '../recording.ts';
import type { Violation } from './violation.ts';

/** A key is remembered for a day; a run that sees another day has slept through one. */
const DAY_MS = 86_400_000;

export function checkConservation(recording: Recording): Violation[] {
  return [...checkCreated(recording), ...checkClaimed(recording), ...checkKeys(recording.calls)];
}

export function checkCreated({
  calls,
  items,
  endedAt,
}: Pick<Recording, 'calls' | 'items' | 'endedAt'>): Violation[] {
  const there = new Set(items.filter((item) => item['sk'] === 'JOB').map((item) => item['pk']));
  return calls.flatMap(({ created }) =>
    created === undefined || there.has(created)
      ? []
      : [{ rule: 'S7', at: endedAt, what: `${created} was made and is gone` }],
  );
}

function checkClaimed({ calls, changes }: Recording): Violation[] {
  const made = new Set(changes.filter(({ key }) => key.sk === 'JOB').map(({ key }) => key.pk));
  return calls.flatMap(({ leases = [], invoked }) =>
    leases
      .filter(({ cardId }) => !made.has(cardId))
      .map(({ cardId }) => ({ rule: 'S8', at: invoked, what: `${cardId} was given and never made` })),
  );
}

/** All answers under one key name the same card; those of a claim, leases of its first answer. */
export function checkKeys(calls: readonly Call[]): Violation[] {
  const keyed = Map.groupBy(
    calls.filter(({ key, outcome }) => key !== undefined && outcome === 'ok'),
    ({ key, invoked }) => `${key} ${Math.floor(invoked / DAY_MS)}`,
  );
  return [...keyed].flatMap(([key, answers]) => {
    const created = new Set(answers.flatMap((answer) => answer.created ?? []));
    // An empty answer is not recorded: asked again, the queue may have something.
    const claims = answers.filter((answer) => (answer.leases?.length ?? 0) > 0);
    const first = new Set(claims[0]?.leases?.map(({ token }) => token));
    const isSame = claims.every(({ leases = [] }) => leases.every(({ token }) => first.has(token)));
    if (created.size <= 1 && isSame) return [];
    return [{ rule: 'S9', at: answers[0]?.invoked ?? 0, what: `the key ${key} was answered in two ways` }];
  });
}
