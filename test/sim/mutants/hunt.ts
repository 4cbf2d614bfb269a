/** Whether a mutant is caught: runs of fresh seeds with it, until one breaks a promise. */
import { check } from '../checker/check.ts';
import { chanceOf } from '../chance.ts';
import { configurationBy, crowdBy, type Configuration } from '../configuration.ts';
import { simulate } from '../simulate.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { mutating, witnessing } from './apply.ts';
import { OPS, type Mutant } from './mutant.ts';

export interface Hunted {
  readonly mutant: Mutant;
  /** Runs until it was caught; null when it was not. */
  readonly caughtAfter: number | null;
  /** The promise that it broke. */
  readonly by: string | null;
  /** How many writes it changed. */
  readonly applied: number;
}

/** By turns a crowd, where races are lost, and one of the swarm, where leases run out and change hands. */
function configurationOf(seed: string, number: number): Configuration {
  const chance = chanceOf(seededRandom(`${seed}/configuration`));
  return number % 2 === 1 ? configurationBy(chance) : crowdBy(chance);
}

export const allOf = (seeds: number): number[] => Array.from({ length: seeds }, (_, number) => number);

/** @param numbers Of the runs, in the order in which they are tried. */
export async function hunt(mutant: Mutant, numbers: readonly number[]): Promise<Hunted> {
  const applied = { count: 0 };
  for (const [at, number] of numbers.entries()) {
    const by = await caughtBy(`mutant-${number}`, number, mutant, applied);
    if (by !== null) return { mutant, caughtAfter: at + 1, by, applied: applied.count };
  }
  return { mutant, caughtAfter: null, by: null, applied: applied.count };
}

/** In which runs each row of the state table writes, those in which it writes most first: where it does not, nothing is lost. */
export type Meetings = ReadonlyMap<string, readonly number[]>;

/** The runs without any mutant: what they break must be nothing, or a catch says nothing. */
export async function control(seeds: number): Promise<{ broken: string | null; meetings: Meetings }> {
  const counts = new Map<string, Map<number, number>>();
  for (const number of allOf(seeds)) {
    const by = await caughtBy(`mutant-${number}`, number, null, { count: 0 }, (op) => {
      const own = counts.get(op) ?? new Map<number, number>();
      counts.set(op, own.set(number, (own.get(number) ?? 0) + 1));
    });
    if (by !== null) return { broken: `mutant-${number}: ${by}`, meetings: new Map() };
  }
  const inOrder = (own: Map<number, number>): number[] =>
    [...own].toSorted(([, a], [, b]) => b - a).map(([number]) => number);
  return { broken: null, meetings: new Map([...counts].map(([op, own]) => [op, inOrder(own)])) };
}

async function caughtBy(
  seed: string,
  number: number,
  mutant: Mutant | null,
  applied: { count: number },
  witness: (op: string) => void = () => undefined,
): Promise<string | null> {
  try {
    const configuration = configurationOf(seed, number);
    const { recording } = await simulate(seed, {
      configuration,
      mutate: mutant === null ? witnessing(witness) : mutating(mutant, applied),
    });
    const [first] = check(recording);
    return first === undefined ? null : `${first.rule} ${first.what.split('\n')[0] ?? ''}`;
  } catch (error) {
    return error instanceof Error ? `the run itself: ${error.message.slice(0, 100)}` : 'the run itself';
  }
}

/** Rows and the attributes that their writes were seen to set, over some runs. */
export async function setMutants(seeds: number): Promise<Mutant[]> {
  const seen = new Map<string, number>();
  const mutate = witnessing((op, attributes) => {
    for (const attribute of attributes) {
      const name = `${op} ${attribute}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  });
  for (let number = 0; number < seeds; number += 1) {
    const seed = `mutant-${number}`;
    await simulate(seed, { configuration: configurationOf(seed, number), mutate });
  }
  return [...seen.keys()].toSorted().flatMap((name): Mutant[] => {
    const [text = '', attribute = ''] = name.split(' ');
    const op = OPS.find((each) => each === text);
    return op === undefined ? [] : [{ kind: 'unset', op, attribute }];
  });
}
