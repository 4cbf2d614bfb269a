/** `leaseboard card run -- COMMAND`: any program as a worker. */
import type { Command } from 'commander';
import { Worker, type WorkerEvent, type WorkerOptions } from '../../client/index.ts';
import { addFields, field, readFields } from '../fields.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { wholeNumber } from '../option-values.ts';
import type { SetExit } from '../register.ts';
import { openSession, type Session } from '../session.ts';
import { CannotStart, runCommand } from './run-command.ts';
import { tallyOf, type Tally } from './run-tally.ts';

const FIELDS = [
  field('column', 'column', 'of this queue'),
  field('tenant', 'text', 'cards of this tenant only'),
  field('label', 'list', 'cards with this label', { name: 'labels' }),
  field('skill', 'list', 'what the worker can do', { name: 'skills' }),
  field('lease-ttl-seconds', 'number', "how long a lease lasts without a heartbeat; default: the contract's"),
];

const EXPLANATION = `
The card is on the command's standard input, as JSON, and in its environment: LEASEBOARD_CARD_ID, LEASEBOARD_CARD_KEY,
LEASEBOARD_CARD_TITLE, LEASEBOARD_PAYLOAD (its properties, as JSON), LEASEBOARD_BOARD, LEASEBOARD_ATTEMPT,
LEASEBOARD_MAX_ATTEMPTS, LEASEBOARD_FENCE, LEASEBOARD_CHECKPOINT (of a worker that was lost), LEASEBOARD_LEASE_ID and
LEASEBOARD_LEASE_TOKEN, with which the command may itself call \`leaseboard lease renew --progress 50\`.
Heartbeats are sent while it runs. When the lease is lost, or somebody asks to stop, it gets SIGTERM, and SIGKILL 5 s on.

How the command ends decides how the card goes on:
     0  completed; what it printed is the output, as JSON where it is JSON
    65  dead: the card is wrong, and no attempt would help
    75  again in --retry-after seconds, no attempt spent
  else  failed: again after the contract's backoff, until attempts are used up; the reason ends with its last error line

Example:
  leaseboard card run --board newsroom --column Ready --agent drafter-1 --until-empty -- ./work.sh`;

/** A day: for one card that is done at its own pace, whatever the lease. */
const NO_HURRY_SECONDS = 86_400;
const DEFAULT_RETRY_AFTER_SECONDS = 300;

interface RunOptions {
  readonly untilEmpty?: true;
  readonly forever?: true;
  readonly concurrency: number;
  readonly retryAfter: number;
  readonly grace?: number;
}

export function addCardRun(cards: Command, io: Io, setExit: SetExit): void {
  const command = cards
    .command('run')
    .description('Claim a card, run a command for it, and settle the card by how the command ends')
    .argument('<command...>', 'the command with its arguments, behind --');
  addFields(command, FIELDS);
  command
    .option('--until-empty', 'go on until there is nothing to claim')
    .option('--forever', 'go on until Ctrl-C or SIGTERM')
    .option('--concurrency <number>', 'so many at once, when it goes on', wholeNumber, 1)
    .option('--retry-after <seconds>', 'wait after an exit with 75', wholeNumber, DEFAULT_RETRY_AFTER_SECONDS)
    .option(
      '--grace <seconds>',
      'how long commands may go on after Ctrl-C or SIGTERM; default: not at all for one card, else nearly the lease',
      wholeNumber,
    )
    .addHelpText('after', EXPLANATION)
    .action(async (words: string[], options: RunOptions) => {
      const session = await openSession(io, command.optsWithGlobals());
      const input = await readFields(session, FIELDS, command.opts());
      const { untilEmpty, forever } = options;
      const concurrency = untilEmpty === true || forever === true ? options.concurrency : 1;
      setExit(await work(session, words, { ...options, concurrency }, input));
    });
}

async function work(
  session: Session,
  words: readonly string[],
  options: RunOptions,
  input: Record<string, unknown>,
): Promise<ExitCode> {
  const single = options.untilEmpty !== true && options.forever !== true;
  const tally = tallyOf();
  const worker = new Worker(await workerOptions(session, options, input, tally), async (job) => {
    if (single) void worker.stop({ graceSeconds: NO_HURRY_SECONDS });
    const outcome = await runCommand(session, words, job, options.retryAfter);
    if (!(outcome instanceof CannotStart)) return outcome;
    // Not the card's fault: it is given back, and whoever started this hears why.
    void worker.stop({ graceSeconds: 0 });
    tally.cannotStart = outcome;
    await untilAborted(job.signal);
    throw outcome;
  });
  const drain = (): void => void worker.stop(single ? { graceSeconds: options.grace ?? 0 } : {});
  session.io.signal.addEventListener('abort', drain, { once: true });
  await worker.run({ untilEmpty: options.forever !== true });
  if (tally.cannotStart !== null) throw tally.cannotStart;
  return ended(session, tally, options);
}

async function workerOptions(
  session: Session,
  { forever, concurrency, grace }: RunOptions,
  { column, lease_ttl_seconds, ...filters }: Record<string, unknown>,
  tally: Tally,
): Promise<WorkerOptions> {
  return {
    ...filters,
    client: session.client,
    board: session.board,
    column: await session.column(column as string | undefined),
    leaseTtlSeconds: lease_ttl_seconds as number | undefined,
    concurrency,
    waitSeconds: forever === true ? undefined : 0,
    shutdownGraceSeconds: grace,
    // The process has handlers of its own.
    handleSignals: false,
    onEvent: (event) => {
      tally.add(event);
      tell(session, event);
    },
  };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

function ended({ io, output }: Session, tally: Tally, options: RunOptions): ExitCode {
  if (tally.failed > 0) return EXIT.commandFailed;
  if (tally.lost > 0) return EXIT.conflict;
  if (io.signal.aborted && tally.released > 0) return EXIT.interrupted;
  if (tally.claimed > 0 || options.forever === true) return EXIT.ok;
  output.note('Nothing to claim.');
  return EXIT.nothingToClaim;
}

/** What becomes of cards is data; how the worker fares is for a person. */
function tell({ output }: Session, event: WorkerEvent): void {
  if ('key' in event) {
    const { type, key } = event;
    const why = 'reason' in event ? `: ${event.reason}` : '';
    output.line(shown(event), `${type.padEnd(10)} ${key}${why}`);
  } else if (event.type !== 'draining') {
    output.note(
      event.type === 'stalled' ? `Stalled for ${event.lateMs} ms` : `No answer: ${text(event.error)}`,
    );
  }
}

/** With names as the API writes them. */
function shown(event: WorkerEvent): object {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]: [string, unknown]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name === 'error' ? text(value) : value,
    ]),
  );
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
