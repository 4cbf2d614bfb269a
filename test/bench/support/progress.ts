/** How far the bench has come: a bar on a terminal, a line per group elsewhere; on standard error both. */
import { SingleBar } from 'cli-progress';
import type { Group } from './figure.ts';

export interface Progress {
  readonly begins: (group: Group) => void;
  readonly stop: () => void;
}

export function showProgress(groups: readonly Group[]): Progress {
  const total = groups.reduce((sum, { share }) => sum + share, 0);
  const { show, stop } = process.stderr.isTTY ? bar(total) : lines(total);
  let done = 0;
  let underWay = 0;
  return {
    begins: ({ name, share }) => {
      done += underWay;
      underWay = share;
      show(done, name);
    },
    stop,
  };
}

function bar(total: number) {
  const shown = new SingleBar({ format: '{bar} {percentage} % {group}', hideCursor: true });
  shown.start(total, 0, { group: '' });
  return {
    show: (done: number, group: string) => shown.update(done, { group }),
    stop: () => shown.stop(),
  };
}

function lines(total: number) {
  return {
    show: (done: number, group: string) => console.error(`${Math.round((100 * done) / total)} % ${group}`),
    stop: () => undefined,
  };
}
