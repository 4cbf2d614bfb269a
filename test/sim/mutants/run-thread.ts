/** One of the threads of `npm run mutants`: hunts its share, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { hunt } from './hunt.ts';
import type { Mutant } from './mutant.ts';

const { mutants, seeds } = workerData as { mutants: readonly Mutant[]; seeds: number };

// Refusals are common, and each would note where it came from.
Error.stackTraceLimit = 0;

for (const mutant of mutants) {
  const hunted = await hunt(mutant, seeds);
  parentPort?.postMessage(hunted, []);
}
