/**
 * `npm run demo`: a fleet at full speed over a backlog, with workers that vanish in the middle of their cards, and
 * the proof afterwards, read from the API, that nothing was lost or done twice.
 */
import { SingleBar } from 'cli-progress';
import { isLeaseboardError, LeaseboardClient, PLATFORM } from '../client/index.ts';
import { sleep } from '../client/platform.ts';
import { loadCards, readBacklog, repeated } from './backlog.ts';
import { createQueue } from './board.ts';
import { checksOf, totalsOf, type Check } from './fleet/audit.ts';
import { Fleet } from './fleet/fleet.ts';
import { HELP, parseRunOptions, UsageError, type RunOptions } from './fleet/options.ts';
import { startOwnStack, type OwnStack } from './fleet/own-stack.ts';
import { hasOpenCards, readBoard } from './fleet/read-board.ts';
import { checksText, totalsText } from './fleet/report.ts';
import { LEASE_TTL_SECONDS } from './fleet/work.ts';

const LOOK_EVERY_MS = 1_000;
/** Looks in a row that must find nothing open: an index that lags shows a moving card nowhere for a moment. */
const EMPTY_LOOKS = 2;
/** A run that takes longer than this hangs: a floor, and room for every card and every lease that must run out. */
const LIMIT_MS = { floor: 60_000, perCard: 250, perKill: 2_000 } as const;
const MAX_ATTEMPTS = 5;
const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

async function main(interrupted: AbortSignal): Promise<number> {
  const options = parseRunOptions(process.argv.slice(2), PLATFORM.random());
  if (options === null) {
    console.log(HELP);
    return EXIT.ok;
  }
  const own = options.server === null ? await startOwnStack() : null;
  try {
    const server = options.server ?? own;
    if (server === null) throw new Error('No server');
    return await drainAndCheck(options, server, interrupted);
  } finally {
    await own?.stop();
  }
}

async function drainAndCheck(
  options: RunOptions,
  server: Pick<OwnStack, 'url' | 'token'>,
  interrupted: AbortSignal,
): Promise<number> {
  const { cards, kills, seed } = options;
  const client = new LeaseboardClient({ url: server.url, token: server.token });
  const slug = `demo-run-${PLATFORM.newKey().slice(0, 8)}`;
  const queue = await createQueue(
    client,
    { slug, name: `Demo run, seed ${seed}`, description: `${cards} cards, ${kills} workers killed` },
    { lease_ttl_seconds: LEASE_TTL_SECONDS, max_attempts: MAX_ATTEMPTS, backoff_seconds: [1] },
  );
  await loadCards(client, slug, queue.columnId, repeated(await readBacklog(), cards));
  console.log(
    `${cards} cards on board ${slug} at ${server.url}; ${kills} workers will vanish; seed ${seed}\n`,
  );

  const fleet = new Fleet({ ...server, ...queue, cards, kills, seed });
  const startedMs = PLATFORM.monotonicMs();
  const finished = await drain(client, slug, fleet, options, interrupted);
  const seconds = (PLATFORM.monotonicMs() - startedMs) / 1000;

  const audited = await readBoard(client, slug);
  const checks: Check[] = [
    { name: 'the fleet finished in time', passed: finished, found: `${seconds.toFixed(1)} s` },
    ...checksOf(audited, options),
  ];
  console.log(`\n${totalsText(totalsOf(audited), fleet.tally, seconds)}\n\n${checksText(checks)}`);
  return checks.every((check) => check.passed) ? EXIT.ok : EXIT.failed;
}

/** Runs the fleet until no card is open, at most for as long as the run may take. */
async function drain(
  client: LeaseboardClient,
  board: string,
  fleet: Fleet,
  { cards, kills }: RunOptions,
  interrupted: AbortSignal,
): Promise<boolean> {
  const limitMs = LIMIT_MS.floor + cards * LIMIT_MS.perCard + kills * LIMIT_MS.perKill;
  const deadlineMs = PLATFORM.monotonicMs() + limitMs;
  const bar = progressBar(fleet, cards);
  try {
    fleet.start();
    for (let emptyLooks = 0; PLATFORM.monotonicMs() < deadlineMs;) {
      await sleep(PLATFORM, LOOK_EVERY_MS, interrupted);
      fleet.check();
      emptyLooks = (await hasOpenCards(client, board)) ? 0 : emptyLooks + 1;
      if (emptyLooks < EMPTY_LOOKS) continue;
      bar.complete();
      return true;
    }
    return false;
  } finally {
    bar.stop();
    await fleet.stop();
  }
}

/** Shows the fleet's own tally while it works; the checks do not look at it. */
function progressBar({ tally }: Fleet, cards: number): { complete: () => void; stop: () => void } {
  const bar = new SingleBar({
    format: '{bar} {value}/{total} settled | {claimed} claims | {failed} failed | {lost} workers lost',
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 2_000,
  });
  const payload = () => ({
    claimed: tally.claimed,
    failed: tally.failed,
    lost: tally.killed + tally.unplugged,
  });
  const settled = () => Math.min(cards, tally.completed + tally.deadLettered);
  bar.start(cards, 0, payload());
  const timer = setInterval(() => bar.update(settled(), payload()), 100);
  const stop = (): void => {
    clearInterval(timer);
    bar.stop();
  };
  // What a killed worker had settled, and could not tell any more, is missing from the tally.
  return { stop, complete: () => bar.update(cards, payload()) };
}

/** What a user can act on in a sentence, and anything else whole. */
function wordsFor(error: unknown): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${HELP}`;
  return isLeaseboardError(error) ? error.message : error;
}

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort(new Error('Interrupted')));
process.once('SIGTERM', () => interrupt.abort(new Error('Interrupted')));
try {
  process.exitCode = await main(interrupt.signal);
} catch (error) {
  if (interrupt.signal.aborted) {
    console.error('Interrupted.');
    process.exitCode = EXIT.interrupted;
  } else {
    console.error(wordsFor(error));
    process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}
