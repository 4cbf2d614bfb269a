/**
 * Pid files. A child outlives a parent that is killed with -9, keeps its port and, for a database, its files.
 * Each child is therefore written down where the next start looks, with enough to know it again: a pid alone
 * may by then belong to somebody else's process.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from './wait-until.ts';

const run = promisify(execFile);

/** Time for a process to end by itself after SIGTERM, before SIGKILL. */
const TERM_GRACE_MS = 5000;
/** A killed process is gone at once; the limit is only there to name the cause when it is not. */
const KILL_GRACE_MS = 5000;

export interface ProcessRecord {
  readonly pid: number;
  /** The process that started it. As long as it is still the parent, the recorded process is no orphan. */
  readonly parentPid: number;
  /** ISO 8601, for people who read the file. */
  readonly startedAt: string;
  /** Parts of the command line that together are in this process's only, e.g. its jar and its data directory. */
  readonly marks: readonly string[];
}

export type RecordedState = 'gone' | 'orphan' | 'owned';

/** Where processes are recorded that keep everything in memory and so have no directory of their own. */
export function sharedRecords(kind: 'database' | 'server'): string {
  return join(tmpdir(), `leaseboard-${userInfo().uid}`, kind);
}

export async function writeRecord(file: string, record: ProcessRecord): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

/** The record in `file`; null when there is none or it cannot be understood (a crash while writing it). */
export async function readRecord(file: string): Promise<ProcessRecord | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether the recorded process still runs, and whether the process that started it still does. */
export async function recordedState(record: ProcessRecord): Promise<RecordedState> {
  const found = await inspect(record.pid);
  if (found === null || !record.marks.every((mark) => found.command.includes(mark))) return 'gone';
  return found.parentPid === record.parentPid ? 'owned' : 'orphan';
}

/**
 * Ends the process recorded in `file` if it is an orphan, and removes the file unless its process has an owner.
 *
 * @returns what was found.
 */
export async function endOrphan(file: string): Promise<RecordedState> {
  const record = await readRecord(file);
  const state = record === null ? 'gone' : await recordedState(record);
  if (state === 'owned') return state;
  if (record !== null && state === 'orphan') await endProcess(record);
  await rm(file, { force: true });
  return state;
}

/**
 * Records this process, known by its whole command line.
 *
 * @param parentPid Its parent as it was at the start: by now that may be gone.
 */
export async function recordThisProcess(file: string, parentPid: number): Promise<void> {
  const command = (await inspect(process.pid))?.command;
  if (command === undefined) return;
  await writeRecord(file, {
    pid: process.pid,
    parentPid,
    startedAt: new Date().toISOString(),
    marks: [command],
  });
}

/** `endOrphan` for every record in a directory. */
export async function endOrphansIn(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  await Promise.all(names.map(async (name) => endOrphan(join(directory, name))));
}

async function endProcess(record: ProcessRecord): Promise<void> {
  const gone = async () => (await recordedState(record)) === 'gone';
  signal(record.pid, 'SIGTERM');
  try {
    await waitUntil(`process ${record.pid} to end`, TERM_GRACE_MS, gone);
  } catch {
    signal(record.pid, 'SIGKILL');
    await waitUntil(`process ${record.pid} to die`, KILL_GRACE_MS, gone);
  }
}

/** A process that ended on its own in the meantime is what was wanted. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Parent and command line; null for a process that is not there. A zombie has no command line left. */
async function inspect(pid: number): Promise<{ parentPid: number; command: string } | null> {
  return (await inspectProc(pid)) ?? (process.platform === 'linux' ? null : inspectPs(pid));
}

async function inspectProc(pid: number) {
  try {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return { parentPid: Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]), command };
  } catch {
    return null;
  }
}

async function inspectPs(pid: number) {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)]);
    const [, parent, command] = /^\s*(\d+)\s+(.*)$/m.exec(stdout) ?? [];
    return command === undefined ? null : { parentPid: Number(parent), command };
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is ProcessRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isInteger(value.pid) &&
    'parentPid' in value &&
    Number.isInteger(value.parentPid) &&
    'marks' in value &&
    Array.isArray(value.marks) &&
    value.marks.length > 0 &&
    value.marks.every((mark) => typeof mark === 'string')
  );
}
