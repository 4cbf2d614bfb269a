/** The groups of rows in the order that they are printed in. A further group is a line here. */
import { bytesRows } from './rows/bytes.ts';
import { cardRows } from './rows/card.ts';
import { claimRows } from './rows/claim.ts';
import { contentionRows, longQueueRows, priorityRows } from './rows/contention.ts';
import { growthRows } from './rows/growth.ts';
import { leaseRows } from './rows/lease.ts';
import { lifeRows } from './rows/life.ts';
import { loneClaimerRows } from './rows/lone-claimer.ts';
import { pollRows } from './rows/poll.ts';
import type { Group } from './support/figure.ts';

export const GROUPS: readonly Group[] = [
  { name: 'claim', share: 2, run: claimRows },
  { name: 'lease', share: 2, run: leaseRows },
  { name: 'card', share: 2, run: cardRows },
  { name: 'life', share: 2, run: lifeRows },
  { name: 'poll', share: 2, run: pollRows },
  { name: 'bytes', share: 1, run: bytesRows },
  { name: 'lone-claimer', share: 5, run: loneClaimerRows },
  { name: 'growth', share: 15, run: growthRows },
  { name: 'contention', share: 60, run: contentionRows },
  { name: 'priorities', share: 8, run: priorityRows },
];

/** Groups that run only when they are named. */
export const ON_REQUEST: readonly Group[] = [{ name: 'long-queue', share: 50, run: longQueueRows }];

/**
 * Rows of the budgets that this bench cannot measure yet: they need the seeded simulator, the event log, or what is
 * not built. Named in the output, so that nobody takes their absence for a pass.
 */
export const LATER: readonly string[] = [
  'block',
  'the events of a job in log and feed',
  'lost races in the seeded simulator, also under index lag and with ten priorities',
  'growth to 100,000 cards',
  'bundle sizes and cold import',
  'jobs per second through HTTP',
  'cost per million jobs',
];
