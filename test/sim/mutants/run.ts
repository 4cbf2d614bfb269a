/**
 * `npm run mutants -- [--seeds N] [--jobs J] [--kind clause|set]`: makes every mutant of the state table and hunts each
 * over up to N seeds. Ends non-zero when one survives for which reasons.ts has no reason.
 */
import { parseArgs } from 'node:util';
import { Worker as Thread } from 'node:worker_threads';
import { control, setMutants, type Hunted, type Meetings } from './hunt.ts';
import { clauseMutants, nameOf, type Mutant } from './mutant.ts';
import { reasonFor } from './reasons.ts';

/** Runs in which the attributes that writes set are looked for. */
const WITNESSED = 12;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '24' },
    jobs: { type: 'string', default: '2' },
    kind: { type: 'string', default: 'all' },
  },
});

async function main(): Promise<number> {
  const { broken, meetings } = await control(Number(values.seeds));
  if (broken !== null) {
    console.error(`Without any mutant a promise is broken, ${broken}`);
    return 1;
  }
  const mutants: Mutant[] = [
    ...(values.kind === 'set' ? [] : clauseMutants()),
    ...(values.kind === 'clause' ? [] : await setMutants(WITNESSED)),
  ];
  const jobs = Number(values.jobs);
  console.log(`${mutants.length} mutants, up to ${values.seeds} seeds each.`);
  const hunted: Hunted[] = [];
  await Promise.all(
    Array.from({ length: jobs }, async (_, job) => {
      const own = mutants.filter((_mutant, at) => at % jobs === job);
      await inThread(own, meetings, (each) => {
        hunted.push(each);
        console.log(lineOf(each));
      });
    }),
  );
  return report(hunted);
}

async function inThread(
  mutants: readonly Mutant[],
  meetings: Meetings,
  hear: (each: Hunted) => void,
): Promise<void> {
  const thread = new Thread(new URL('run-thread.ts', import.meta.url), { workerData: { mutants, meetings } });
  return new Promise((resolve, reject) => {
    thread.on('message', hear);
    thread.once('error', reject);
    thread.once('exit', () => resolve());
  });
}

function lineOf({ mutant, caughtAfter, by, applied }: Hunted): string {
  const name = nameOf(mutant).padEnd(44);
  if (caughtAfter !== null) return `caught    ${name} seed ${caughtAfter}: ${by?.slice(0, 110)}`;
  return `SURVIVED  ${name} ${applied === 0 ? 'never met' : `met ${applied} times`}: ${reasonFor(mutant) ?? 'no reason'}`;
}

function report(hunted: readonly Hunted[]): number {
  const caught = hunted.filter(({ caughtAfter }) => caughtAfter !== null);
  const survivors = hunted.filter(({ caughtAfter }) => caughtAfter === null);
  const unexplained = survivors.filter(({ mutant }) => reasonFor(mutant) === null);
  console.log(`\n${hunted.length} mutants: ${caught.length} caught, ${survivors.length} survived.`);
  for (const each of survivors) console.log(lineOf(each));
  console.log(
    unexplained.length === 0 ? 'Each survivor has its reason.' : `${unexplained.length} without a reason.`,
  );
  return unexplained.length === 0 ? 0 : 1;
}

process.exitCode = await main();
