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
import { shardRows } from './rows/shards.ts';
import { simulatedRows } from './rows/simulated.ts';
import type { Group } from './support/figure.ts';

/** `share`: its seconds, more or less, on a machine that does something else beside. */
export const GROUPS: readonly Group[] = [
  { name: 'claim', share: 10, run: claimRows },
  { name: 'lease', share: 10, run: leaseRows },
  { name: 'card', share: 5, run: cardRows },
  { name: 'life', share: 5, run: lifeRows },
  { name: 'poll', share: 5, run: pollRows },
  { name: 'shards', share: 5, run: shardRows },
  { name: 'bytes', share: 5, run: bytesRows },
  { name: 'lone-claimer', share: 20, run: loneClaimerRows },
  { name: 'growth', share: 30, run: growthRows },
  { name: 'simulated', share: 120, run: simulatedRows },
  { name: 'contention', share: 140, run: contentionRows },
  { name: 'priorities', share: 15, run: priorityRows },
  { name: 'long-queue', share: 90, run: longQueueRows },
];

/**
 * Rows of the budgets that this bench cannot measure yet: they need the seeded simulator, the event log, or what is
 * not built. Named in the output, so that nobody takes their absence for a pass.
 */
export const LATER: readonly string[] = [
  'block',
  'growth to 100,000 cards',
  'bundle sizes and cold import',
  'jobs per second through HTTP',
];
