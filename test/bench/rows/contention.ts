/** Many claimers on one column: lost races, what they read, and how far they leave the queue's order. */
import { atLeast, atMost, reported, type Bench, type Figure } from '../support/figure.ts';
import { claimHeadFirst, drain, type Drained } from '../support/fleet.ts';
import { displacements, median, passedBy, percentile } from '../support/order.ts';

const FEW = 8;
const MANY = 64;
const CARDS = 1_000;
const MORE_CARDS = 5_000;
/** The head-first claimer loses some sixty races a claim whatever the number of cards. */
const HEAD_FIRST_CARDS = 200;
const RUNS = 3;
const PRIORITIES = 10;
/** Cards of higher priority that a claim may pass by: as many as it spreads its picks over. */
const TOLERATED = 64;

export async function contentionRows(bench: Bench): Promise<Figure[]> {
  const few = await runs(bench, FEW);
  const many = await runs(bench, MANY);
  const headFirst = await drain(bench, { claimers: MANY, cards: HEAD_FIRST_CARDS }, claimHeadFirst);
  const lost = median(many.map((run) => run.refusedPerClaim));
  return [
    atMost(
      'lost races per claim: 8 claimers, 1,000 cards',
      0.12,
      median(few.map((run) => run.refusedPerClaim)),
    ),
    atMost('lost races per claim: 64 claimers, 1,000 cards', 0.7, lost),
    reported('lost races per claim: 64 head-first claimers, 200 cards', headFirst.refusedPerClaim),
    atLeast('head-first claimers lose more, times', 20, headFirst.refusedPerClaim / lost),
    atMost('claim, read units: 64 claimers, named', 9, median(many.map((run) => run.readUnitsPerClaim))),
  ];
}

async function runs(bench: Bench, claimers: number): Promise<Drained[]> {
  const drained: Drained[] = [];
  for (let seed = 1; seed <= RUNS; seed += 1)
    drained.push(await drain(bench, { claimers, cards: CARDS, seed }));
  return drained;
}

/** The order of a long queue under contention, with one priority and with ten. */
export async function orderRows(bench: Bench): Promise<Figure[]> {
  const priority = (at: number) => at % PRIORITIES;
  const one = await drain(bench, { claimers: MANY, cards: MORE_CARDS });
  const ten = await drain(bench, { claimers: MANY, cards: CARDS, priority });
  return [
    atMost('out-of-order distance: 64 claimers, 5,000 cards, p99', 640, percentile(displacements(one), 0.99)),
    reported('lost races per claim: 64 claimers, 5,000 cards', one.refusedPerClaim),
    reported('lost races per claim: ten priorities, 64 claimers, 1,000 cards', ten.refusedPerClaim),
    atMost(
      'ten priorities: claims that pass more than 64 higher cards by',
      0,
      passedBy(ten, priority, TOLERATED),
    ),
  ];
}
