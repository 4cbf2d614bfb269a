/** A bar for work that takes a while, where a person watches it. */
import { SingleBar } from 'cli-progress';
import type { Session } from './session.ts';

export interface Progress {
  /** So many are done. */
  readonly at: (done: number) => void;
  readonly end: () => void;
}

const NO_BAR: Progress = { at: () => {}, end: () => {} };

/** @param total Null where it is not known: then it only counts. */
export function showProgress(session: Session, what: string, total: number | null): Progress {
  if (!session.io.watched || session.output.json) return NO_BAR;
  const format = total === null ? `${what} {value}` : `${what} [{bar}] {value}/{total}`;
  const bar = new SingleBar({ format, hideCursor: true });
  bar.start(total ?? 0, 0, {});
  return { at: (done) => bar.update(done, {}), end: () => bar.stop() };
}
