/** Many claimers on one column: lost races, what they read, and how far they leave the queue's order. */
import { atLeast, atMost, reported, type Bench, type Figure } from '../support/figure.ts';
import { claimHeadFirst, drain, type Drained } from '../support/fleet.ts';
import { displacements, median, passedBy, percentile } from '../support/order.ts';

const FEW = 8;
const MANY = 64;
const CARDS = 1_000;
const LONG = 5_000;
/** The head-first claimer loses as many races a claim with few cards as with many. */
const HEAD_FIRST_CARDS = 100;
const RUNS = 3;
const PRIORITIES = 10;
/** Cards of higher priority that a claim may pass by: as many as it spreads its picks over. */
const TOLERATED = 64;

export async function contentionRows(bench: Bench): Promise<Figure[]> {
  const few = await runs(bench, FEW);
  const many = await runs(bench, MANY);
  const headFirst = await drain(bench, { claimers: MANY, cards: HEAD_FIRST_CARDS }, claimHeadFirst);
  const lost = lostRaces(many);
  return [
    atMost('lost races per claim: 8 claimers, 1,000 cards', 0.12, lostRaces(few)),
    atMost('lost races per claim: 64 claimers, 1,000 cards', 0.7, lost),
    reported('lost races per claim: 64 head-first claimers', headFirst.refusedPerClaim),
    atLeast('head-first claimers lose more, times', 20, headFirst.refusedPerClaim / lost),
    atMost(
      'claim, read units: 64 claimers, lost tries included',
      9,
      median(many.map((run) => run.readUnitsPerClaim)),
    ),
    atMost('out-of-order distance: 64 claimers, 1,000 cards, p99', 640, median(many.map(p99))),
  ];
}

/** Three times the same, with other chances. */
async function runs(bench: Bench, claimers: number): Promise<Drained[]> {
  const drained: Drained[] = [];
  for (let seed = 1; seed <= RUNS; seed += 1)
    drained.push(await drain(bench, { claimers, cards: CARDS, seed }));
  return drained;
}

const lostRaces = (drained: readonly Drained[]) => median(drained.map((run) => run.refusedPerClaim));
const p99 = (run: Drained) => percentile(displacements(run), 0.99);

export async function priorityRows(bench: Bench): Promise<Figure[]> {
  const priority = (at: number) => at % PRIORITIES;
  const ten = await drain(bench, { claimers: MANY, cards: CARDS, priority });
  return [
    reported('lost races per claim: ten priorities, 64 claimers, 1,000 cards', ten.refusedPerClaim),
    atMost(
      'ten priorities: claims that pass more than 64 higher cards by',
      0,
      passedBy(ten, priority, TOLERATED),
    ),
  ];
}

export async function longQueueRows(bench: Bench): Promise<Figure[]> {
  const long = await drain(bench, { claimers: MANY, cards: LONG });
  return [
    reported('lost races per claim: 64 claimers, 5,000 cards', long.refusedPerClaim),
    atMost('out-of-order distance: 64 claimers, 5,000 cards, p99', 640, p99(long)),
  ];
}
