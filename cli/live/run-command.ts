/** One command for one card: started, fed, stopped when the lease is over, and its ending turned into the card's. */
import { spawn, type ChildProcess } from 'node:child_process';
import { PermanentError, RetryAfter, type JobContext } from '../../client/index.ts';
import type { Session } from '../session.ts';
import { TailBuffer } from './tail-buffer.ts';

/** EX_DATAERR and EX_TEMPFAIL of sysexits.h. */
const EXIT_PERMANENT = 65;
const EXIT_LATER = 75;
/** Between being asked to stop and being stopped; half of what the worker waits for a handler. */
const KILL_AFTER_MS = 5_000;
/** A run's output may have 200 KB as JSON; what is around it needs some. */
const LARGEST_OUTPUT_BYTES = 190_000;
const KEPT_ERROR_BYTES = 4_096;

/** There is no such command, or it is none. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: TailBuffer;
  readonly errors: TailBuffer;
}

/**
 * The output of a command that ended with 0, or `CannotStart`.
 * @throws what a worker's handler throws for the other endings
 */
export async function runCommand(
  session: Session,
  words: readonly string[],
  job: JobContext,
  retryAfterSeconds: number,
): Promise<unknown> {
  const ended = await execute(session, words, job).catch((error: unknown) => error);
  if (ended instanceof CannotStart) return ended;
  const { code, signal, output, errors } = ended as Ended;
  job.signal.throwIfAborted();
  if (code === 0) return outputOf(output);
  const reason = [signal ?? `exit code ${code}`, errors.lastLine()].filter(Boolean).join(': ');
  if (code === EXIT_PERMANENT) throw new PermanentError(reason);
  if (code === EXIT_LATER) throw new RetryAfter(retryAfterSeconds, reason);
  throw new Error(reason);
}

async function execute(session: Session, words: readonly string[], job: JobContext): Promise<Ended> {
  const [program = '', ...args] = words;
  const output = new TailBuffer(LARGEST_OUTPUT_BYTES);
  const errors = new TailBuffer(KEPT_ERROR_BYTES);
  // A group of its own: Ctrl-C on the terminal is for this process, which lets the command finish.
  const child = spawn(program, args, {
    cwd: session.io.cwd,
    env: { ...session.io.env, ...environmentOf(session, job) },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (bytes: Buffer) => output.add(bytes));
  child.stderr.on('data', (bytes: Buffer) => {
    errors.add(bytes);
    session.io.err(bytes.toString('utf8'));
  });
  // A command that does not read its input is no mistake.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(job.card));
  const stopping = stopOnAbort(child, job.signal);
  try {
    return await new Promise<Ended>((resolve, reject) => {
      child.once('error', (error) =>
        reject(new CannotStart(`"${program}" cannot be started: ${error.message}`)),
      );
      child.once('close', (code, signal) => resolve({ code, signal, output, errors }));
    });
  } finally {
    stopping();
  }
}

/** What the command finds in its environment. The body is on standard input only: a variable could not hold it. */
function environmentOf({ board, settings }: Session, job: JobContext): Record<string, string> {
  return {
    LEASEBOARD_URL: settings.url.value,
    LEASEBOARD_BOARD: board,
    LEASEBOARD_CARD_ID: job.card.id,
    LEASEBOARD_CARD_KEY: job.card.key,
    LEASEBOARD_CARD_TITLE: job.card.title,
    LEASEBOARD_PAYLOAD: JSON.stringify(job.card.properties),
    LEASEBOARD_ATTEMPT: String(job.attempt),
    LEASEBOARD_MAX_ATTEMPTS: String(job.maxAttempts),
    LEASEBOARD_FENCE: String(job.fence),
    LEASEBOARD_CHECKPOINT: job.card.abandoned_by?.checkpoint ?? '',
    LEASEBOARD_LEASE_ID: job.lease.id,
    LEASEBOARD_LEASE_TOKEN: job.lease.token,
    ...(job.traceparent === null ? {} : { TRACEPARENT: job.traceparent }),
  };
}

/** The way to call it off. */
function stopOnAbort(child: ChildProcess, signal: AbortSignal): () => void {
  let killer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    endGroup(child, 'SIGTERM');
    killer = setTimeout(() => endGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return () => {
    clearTimeout(killer);
    signal.removeEventListener('abort', stop);
  };
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** JSON where it is JSON; of what is too much the end. */
function outputOf(output: TailBuffer): unknown {
  const text = output.text().trim();
  if (text === '') return null;
  const value = output.cut ? text : jsonOr(text);
  return output.cut || bytesOf(value) > LARGEST_OUTPUT_BYTES
    ? { cut: true, end_of_output: endOf(text) }
    : value;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** As JSON a text may be six times as long, so it is cut until it fits. */
function endOf(text: string): string {
  let end = text;
  while (bytesOf(end) > LARGEST_OUTPUT_BYTES) end = end.slice(Math.ceil(end.length / 4));
  // The second half of a character that was cut through is none, and the server takes no such half.
  return end.replace(/^[\uDC00-\uDFFF]/, '');
}
