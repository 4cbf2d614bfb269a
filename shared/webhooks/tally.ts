/** Counting the sends of one chain, in their order. */
import type { Tally } from './endpoint.ts';

export interface Sent {
  readonly at: number;
  readonly result: 'delivered' | 'failed' | 'timeout';
}

const NOTHING: Tally = { failures: 0, timeouts: 0, answered: false, deliveredAt: null, failedAt: null };

/** Null for no send at all. */
export function tallyOf(sends: readonly Sent[]): Tally | null {
  return sends.length === 0 ? null : sends.reduce(counted, NOTHING);
}

function counted(tally: Tally, { at, result }: Sent): Tally {
  if (result === 'delivered')
    return { failures: 0, timeouts: 0, answered: true, deliveredAt: at, failedAt: null };
  const isTimeout = result === 'timeout';
  return {
    ...tally,
    failures: tally.failures + 1,
    timeouts: isTimeout ? tally.timeouts + 1 : 0,
    answered: tally.answered || !isTimeout,
    failedAt: tally.failedAt ?? at,
  };
}
