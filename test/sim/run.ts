/**
 * `npm run sim -- [--seed N] [--minutes M] [--seeds S] [--jobs J] [--least L]`: runs of fresh seeds until the time is
 * up and S of them are done, each checked. Ends non-zero when a promise was found broken, or a scary state was reached
 * less than L times: once in a run of a minute, in one of ten minutes 51 times. `--only SEED` repeats one run.
 */
import { Worker as Thread } from 'node:worker_threads';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import type { Violation } from './checker/violation.ts';
import { Counters } from './counters.ts';
import { runSeed, type Told } from './run-seed.ts';
import { SCARY } from './sometimes.ts';

const MINUTE_MS = 60_000;
/** A run this long must have met every scary state, and one of ten minutes often. */
const LONG_MINUTES = 1;
const LONGEST_MINUTES = 10;
const OFTEN = 51;
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
    seeds: { type: 'string', default: '0' },
    least: { type: 'string' },
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
  const seeds = Number(values.seeds);
  if (!(minutes > 0) || !(jobs >= 1) || !(seeds >= 0)) {
    console.error('--minutes must be above 0, --jobs at least 1, and --seeds a number.');
    return 2;
  }
  console.log(`Seed ${values.seed}, ${minutes} minutes, ${jobs} jobs.`);
  const progress = new SingleBar({
    format: '{bar} {percentage} % {seeds} seeds, {operations} operations, {broken} broken',
    hideCursor: true,
  });
  const startedAt = Date.now();
  const until = startedAt + minutes * MINUTE_MS;
  progress.start(minutes * MINUTE_MS, 0, { seeds: 0, operations: 0, broken: 0 });
  await Promise.all(
    Array.from({ length: jobs }, async (_, job) =>
      inThread({ base: `${values.seed}-${job}`, until, least: seeds / jobs }, (told) => {
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

/** Of one thread: the name of its seeds, and how long it goes on. */
interface Share {
  readonly base: string;
  readonly until: number;
  readonly least: number;
}

async function inThread(share: Share, hear: (told: Told) => void): Promise<void> {
  const thread = new Thread(new URL('run-thread.ts', import.meta.url), { workerData: share });
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
  const least = leastFor(minutes);
  const missed = SCARY.filter((name) => total.counters.of(name) < least);
  for (const name of missed)
    console.log(`Reached ${total.counters.of(name)} times, which is too seldom: ${name}`);
  console.log(total.broken.length === 0 ? '\nNo violation.' : `\n${total.broken.length} seeds broken.`);
  return total.broken.length > 0 || missed.length > 0 ? 1 : 0;
}

function leastFor(minutes: number): number {
  if (values.least !== undefined) return Number(values.least);
  if (minutes >= LONGEST_MINUTES) return OFTEN;
  return minutes >= LONG_MINUTES ? 1 : 0;
}

process.exitCode = await main();
