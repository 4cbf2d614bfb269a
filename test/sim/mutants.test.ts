/** The checker is itself tested: `npm run mutants` hunts every mutant of the state table, here are some of them. */
import { expect, it } from 'vitest';
import { allOf, hunt } from './mutants/hunt.ts';
import { clauseMutants, nameOf, OPS, type Mutant } from './mutants/mutant.ts';

const LEAST = 60;
const SEEDS = 6;

const SOME: readonly Mutant[] = [
  { kind: 'drop', op: 'claim', clause: 'entry' },
  { kind: 'drop', op: 'renew', clause: 'holder' },
  { kind: 'invert', op: 'complete', clause: 'sequence' },
  { kind: 'unset', op: 'claim', attribute: 'attempt' },
  { kind: 'unset', op: 'complete', attribute: 'state' },
];

it(`has at least ${LEAST} mutants, two for each clause of each row of the state table`, () => {
  const names = clauseMutants().map(nameOf);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(LEAST);
  for (const op of OPS)
    expect(
      names.some((name) => name.startsWith(`${op}: without`)),
      op,
    ).toBe(true);
});

it.each(SOME.map((mutant) => [nameOf(mutant), mutant] as const))(
  'catches the mutant "%s"',
  async (_name, mutant) => {
    const { by, applied } = await hunt(mutant, allOf(SEEDS));
    expect(applied).toBeGreaterThan(0);
    expect(by).not.toBeNull();
  },
);
