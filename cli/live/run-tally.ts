/** What became of the cards that commands were run for. */
import type { WorkerEvent } from '../../client/index.ts';
import type { CannotStart } from './run-command.ts';

export interface Tally {
  claimed: number;
  /** Their commands failed, or asked for later. */
  failed: number;
  released: number;
  /** Somebody else has them, or they were blocked on request. */
  lost: number;
  cannotStart: CannotStart | null;
  readonly add: (event: WorkerEvent) => void;
}

export function tallyOf(): Tally {
  const tally: Tally = {
    claimed: 0,
    failed: 0,
    released: 0,
    lost: 0,
    cannotStart: null,
    add: ({ type }) => {
      if (type === 'claimed') tally.claimed += 1;
      if (type === 'failed') tally.failed += 1;
      if (type === 'released') tally.released += 1;
      if (type === 'lost' || type === 'blocked' || type === 'unsettled') tally.lost += 1;
    },
  };
  return tally;
}
