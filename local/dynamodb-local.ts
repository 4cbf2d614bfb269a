/** Starts and stops DynamoDB Local: for `npm start`, for the tests and for the bench alike. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { databaseCommand, type DatabaseCommand } from './dynamodb-command.ts';
import { freePort } from './free-port.ts';
import { endOrphan, endOrphansIn, readRecord, sharedRecords, writeRecord } from './process-record.ts';
import { UserError } from './user-error.ts';
import { waitUntil } from './wait-until.ts';

/** It answers after 1 to 2 s; ten times that on a machine that is busy with something else, or is pulling an image. */
const START_LIMIT_MS = 60_000;
/** With files it closes them in some 100 ms. */
const STOP_GRACE_MS = 5000;
/** Enough of its output to see why it did not start. */
const OUTPUT_TAIL = 2000;

export interface DynamoDbLocal {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  readonly pid: number;
  /** Resolves when the process is gone. May be called more than once. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts one DynamoDB Local on a free port and waits until it answers. One that an earlier start with the same
 * directory left behind is ended first, since two processes on one database file lose writes.
 *
 * The child stays in this process's group and ends with this process, except when that is killed with -9.
 *
 * @param directory Where the database is kept; null keeps it in memory.
 * @throws UserError when Java is missing, or when another running process owns the directory.
 */
export async function startDynamoDbLocal(directory: string | null): Promise<DynamoDbLocal> {
  const home = directory === null ? null : resolve(directory);
  const file = await claimRecord(home);
  const port = await freePort();
  const command = await databaseCommand({ port, directory: home });
  const child = launch(command);
  const exited = new Promise<void>((done) => child.once('close', () => done()));
  const output = tail(child);
  const endpoint = `http://127.0.0.1:${port}`;
  const pid = child.pid ?? 0;
  const startedAt = new Date().toISOString();
  const recordFile = file ?? join(sharedRecords('database'), `${pid}.json`);
  await writeRecord(recordFile, { pid, parentPid: process.pid, startedAt, marks: command.marks });
  const stop = async () => {
    await end(child, exited);
    await rm(recordFile, { force: true });
  };
  try {
    await waitUntil('DynamoDB Local to answer', START_LIMIT_MS, async () => {
      if (hasEnded(child)) throw didNotStart(output());
      return isAnswering(endpoint);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, pid, stop };
}

/** Ends what was left behind; the file to record the new process in, null for one in memory. */
async function claimRecord(home: string | null): Promise<string | null> {
  if (home === null) {
    await endOrphansIn(sharedRecords('database'));
    return null;
  }
  await mkdir(home, { recursive: true, mode: 0o700 });
  const file = join(home, 'dynamodb-local.pid');
  if ((await endOrphan(file)) !== 'owned') return file;
  const owner = (await readRecord(file))?.parentPid;
  throw new UserError(
    `The data in ${home} is in use by process ${owner}. Stop that first, or choose another directory: \`--data DIR\`.`,
  );
}

/**
 * Ctrl-C reaches the whole process group at once. Ignored here, so that the database outlives the requests that
 * are still being answered and is ended after them; a shell's `trap ''` is inherited through exec.
 */
function launch({ program, args, cwd }: DatabaseCommand): ChildProcess {
  const child = spawn('/bin/sh', ['-c', `trap '' INT; exec "$0" "$@"`, program, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithParent = () => child.kill('SIGTERM');
  process.once('exit', endWithParent);
  child.once('close', () => process.off('exit', endWithParent));
  return child;
}

function tail(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-OUTPUT_TAIL);
    });
  }
  return () => text.trim();
}

function didNotStart(output: string): UserError {
  return new UserError(
    `DynamoDB Local, which needs Java 17 or newer, did not start. Its last words:\n${output}`,
  );
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (!hasEnded(child)) child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  await exited;
  clearTimeout(hard);
}

/** It answers a request without a signature with 400, which is an answer. */
async function isAnswering(endpoint: string): Promise<boolean> {
  try {
    const response = await fetch(endpoint);
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
