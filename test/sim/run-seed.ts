/** One run and its verdict, as plain data that goes from thread to thread. */
import { check } from './checker/check.ts';
import type { Violation } from './checker/violation.ts';
import { simulate } from './simulate.ts';
import { countScary } from './sometimes.ts';

/** Of a broken run the first violations say enough. */
const KEPT = 10;

export interface Told {
  readonly seed: string;
  readonly operations: number;
  readonly steps: number;
  readonly hash: string;
  readonly counters: readonly (readonly [string, number])[];
  readonly violations: readonly Violation[];
}

export async function runSeed(seed: string): Promise<Told> {
  const { recording, counters, operations, steps, hash } = await simulate(seed);
  countScary(recording, counters);
  const violations = check(recording).slice(0, KEPT);
  return { seed, operations, steps, hash, counters: counters.entries(), violations };
}
