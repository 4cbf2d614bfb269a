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

export async function hunt(mutant: Mutant, seeds: number): Promise<Hunted> {
  const applied = { count: 0 };
  for (let number = 0; number < seeds; number += 1) {
    const by = await caughtBy(`mutant-${number}`, number, mutant, applied);
    if (by !== null) return { mutant, caughtAfter: number + 1, by, applied: applied.count };
  }
  return { mutant, caughtAfter: null, by: null, applied: applied.count };
}

/** What the same runs break without any mutant: it must be nothing, or a catch says nothing. */
export async function control(seeds: number): Promise<string | null> {
  for (let number = 0; number < seeds; number += 1) {
    const by = await caughtBy(`mutant-${number}`, number, null, { count: 0 });
    if (by !== null) return `mutant-${number}: ${by}`;
  }
  return null;
}

async function caughtBy(
  seed: string,
  number: number,
  mutant: Mutant | null,
  applied: { count: number },
): Promise<string | null> {
  try {
    const configuration = configurationOf(seed, number);
    const { recording } = await simulate(seed, {
      configuration,
      ...(mutant === null ? {} : { mutate: mutating(mutant, applied) }),
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
