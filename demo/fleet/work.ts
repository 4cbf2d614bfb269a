/** How the demo's workers treat a card: as its fate says, in hundredths of a second instead of minutes. */
import { PermanentError, RetryAfter, type JobContext, type Platform } from '../../client/index.ts';
import { pretendToWork } from '../pretend.ts';
import { sleep } from '../../client/platform.ts';
import { fateOf } from './plan.ts';

/** Short enough that 500 cards take seconds, long enough to be killed in the middle. */
const SHORTEST_MS = 20;
const SPREAD_MS = 100;
/** A lease and a half at `LEASE_TTL_SECONDS`: without heartbeats another would take the card. */
const LONG_MS = 7_500;
const BUSY_SECONDS = 1;

/** Shortest lease that a contract takes: what a killed worker held is back after it. */
export const LEASE_TTL_SECONDS = 5;

/** Does the work of one attempt, or throws as its fate says. `seed` is the run's. */
export async function workOff(job: JobContext, seed: number, platform: Platform): Promise<unknown> {
  const fate = fateOf(seed, Number(job.card.properties['demo_number']), job.fence);
  if (fate === 'long') await pretendToWork(job, LONG_MS, platform);
  else await sleep(platform, SHORTEST_MS + platform.random() * SPREAD_MS, job.signal);
  switch (fate) {
    case 'fail':
      throw new Error('The tests of the fix do not pass');
    case 'poison':
      throw new Error('The report cannot be parsed');
    case 'busy':
      throw new RetryAfter(BUSY_SECONDS, 'The model is busy');
    case 'hopeless':
      throw new PermanentError('The repository is gone');
    case 'finish':
    case 'long':
      break;
  }
  return { fixed: true };
}
