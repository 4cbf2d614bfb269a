/**
 * `npm start` as an orphan. When npm alone is killed with -9, this process lives on, keeps the port and the
 * data, and nobody can press Ctrl-C on it. So under npm it ends itself when its parent is gone, and is recorded
 * for a next start that comes sooner. Started directly (`nohup node local/start.ts &`) it may outlive its shell.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endOrphan, endOrphansIn, readRecord, recordThisProcess, sharedRecords } from './process-record.ts';

const WATCH_MS = 500;

/** Read as early as possible: a parent that is gone before this runs would never be missed. */
const firstParent = process.ppid;

/** Ends what an earlier `npm start` on this directory left behind; one that has its npm still is left alone. */
export async function endEarlierStart(directory: string | null): Promise<void> {
  if (directory === null) await endOrphansIn(sharedRecords('server'));
  else await endOrphan(recordFile(directory));
}

/** @returns how to strike this process off again. */
export async function recordThisStart(directory: string | null): Promise<() => Promise<void>> {
  const file = recordFile(directory);
  if (!startedByNpm() || (await readRecord(file)) !== null) return async () => undefined;
  await recordThisProcess(file, firstParent);
  return async () => rm(file, { force: true });
}

/** Calls `onGone` once the npm that started this process is no longer its parent. */
export function watchParent(onGone: () => void): void {
  if (!startedByNpm()) return;
  const timer = setInterval(() => {
    if (process.ppid === firstParent) return;
    clearInterval(timer);
    onGone();
  }, WATCH_MS);
  timer.unref();
}

function recordFile(directory: string | null): string {
  return directory === null
    ? join(sharedRecords('server'), `${process.pid}.json`)
    : join(directory, 'leaseboard.pid');
}

function startedByNpm(): boolean {
  return process.env['npm_lifecycle_event'] === 'start';
}
