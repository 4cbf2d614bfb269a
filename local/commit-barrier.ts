/**
 * DynamoDB Local acknowledges a transaction some milliseconds before it has committed it: killed with -9 in
 * between, it has forgotten at the next start what a client was already told (seen in ten of twelve tries). So no
 * answer leaves before the database's journal is gone, which is when SQLite has committed.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The name that DynamoDB Local gives its file under `-sharedDb`, and SQLite to the journal beside it. */
const JOURNAL = 'shared-local-instance.db-journal';
/** A commit takes 5 to 20 ms on an idle machine. */
const POLL_MS = 2;
/** Past it the disk hangs, and answering is better than not answering. */
const LIMIT_MS = 2000;

export type CommitBarrier = () => Promise<void>;

/**
 * @param directory Of the database; null for one in memory, which has nothing to lose.
 * @returns resolves once all that the database has acknowledged by now is committed.
 */
export function commitBarrier(directory: string | null): CommitBarrier {
  if (directory === null) return async () => undefined;
  const file = join(directory, JOURNAL);
  let waiting: { readonly journal: string; readonly gone: Promise<void> } | null = null;
  return async () => {
    const journal = identity(file);
    if (journal === null) return;
    // All who wait for one commit share one watch.
    if (waiting?.journal !== journal) waiting = { journal, gone: watch(file, journal) };
    return waiting.gone;
  };
}

/** Another journal in its place belongs to a later transaction: under load there is always one. */
async function watch(file: string, journal: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (identity(file) === journal && performance.now() < deadline) await sleep(POLL_MS);
}

/** What tells one journal from the next: inode numbers are used again at once, the time of birth is not. */
function identity(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.ino} ${found.birthtimeNs}`;
}
