/**
 * `npm run sim -- [--seed N] [--minutes M] [--jobs J]`: runs of fresh seeds until the time is up, each checked. Ends
 * non-zero when a promise was found broken, or a scary state was never reached. `--only SEED` repeats one run.
 */
import { Worker as Thread } from 'node:worker_threads';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import type { Violation } from './checker/violation.ts';
import { Counters } from './counters.ts';
import { runSeed, type Told } from './run-seed.ts';
import { SCARY } from './sometimes.ts';

const MINUTE_MS = 60_000;
/** A run this long must have met every scary state. */
const LONG_MINUTES = 1;
const SHOWN = 20;

interface Total {
  seeds: number;
  operations: number;
  steps: number;
  readonly counters: Counters;
  readonly broken: { seed: string; violations: readonly Violation[] }[];
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    minutes: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string' },
  },
});

async function main(): Promise<number> {
  const total: Total = { seeds: 0, operations: 0, steps: 0, counters: new Counters(), broken: [] };
  if (values.only !== undefined) {
    add(total, await runSeed(values.only));
    return report(total, 0);
  }
  const minutes = Number(values.minutes);
  const jobs = Number(values.jobs);
  if (!(minutes > 0) || !(jobs >= 1)) {
    console.error('--minutes must be above 0, and --jobs at least 1.');
    return 2;
  }
  console.log(`Seed ${values.seed}, ${minutes} minutes, ${jobs} jobs.`);
  const progress = new SingleBar({
    format: '{bar} {percentage} % {seeds} seeds, {operations} operations, {broken} broken',
    hideCursor: true,
  });
  const startedAt = Date.now();
  progress.start(minutes * MINUTE_MS, 0, { seeds: 0, operations: 0, broken: 0 });
  await Promise.all(
    Array.from({ length: jobs }, async (_, job) =>
      inThread(`${values.seed}-${job}`, startedAt + minutes * MINUTE_MS, (told) => {
        add(total, told);
        progress.update(Math.min(minutes * MINUTE_MS, Date.now() - startedAt), {
          seeds: total.seeds,
          operations: total.operations,
          broken: total.broken.length,
        });
      }),
    ),
  );
  progress.stop();
  return report(total, minutes);
}

async function inThread(base: string, until: number, hear: (told: Told) => void): Promise<void> {
  const thread = new Thread(new URL('run-thread.ts', import.meta.url), { workerData: { base, until } });
  return new Promise((resolve, reject) => {
    thread.on('message', hear);
    thread.once('error', reject);
    thread.once('exit', () => resolve());
  });
}

function add(total: Total, told: Told): void {
  total.seeds += 1;
  total.operations += told.operations;
  total.steps += told.steps;
  for (const [name, count] of told.counters) total.counters.add(name, count);
  if (told.violations.length > 0) total.broken.push({ seed: told.seed, violations: told.violations });
}

function report(total: Total, minutes: number): number {
  console.log(`\n${total.seeds} seeds, ${total.operations} engine operations, ${total.steps} steps.`);
  for (const [name, count] of total.counters.entries())
    console.log(`  ${String(count).padStart(9)}  ${name}`);
  for (const { seed, violations } of total.broken.slice(0, SHOWN)) {
    const [first] = violations;
    console.log(`\nSeed ${seed}: ${violations.length} violations, the first: ${first?.rule} ${first?.what}`);
    console.log(`  Repeat it: npm run sim -- --only ${seed}`);
  }
  const missed = minutes >= LONG_MINUTES ? SCARY.filter((name) => total.counters.of(name) === 0) : [];
  for (const name of missed) console.log(`Never reached: ${name}`);
  console.log(total.broken.length === 0 ? '\nNo violation.' : `\n${total.broken.length} seeds broken.`);
  return total.broken.length > 0 || missed.length > 0 ? 1 : 0;
}

process.exitCode = await main();
