/** One of the threads of `npm run mutants`: hunts its share, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { hunt } from './hunt.ts';
import type { Mutant } from './mutant.ts';

const { mutants, seeds } = workerData as { mutants: readonly Mutant[]; seeds: number };

for (const mutant of mutants) {
  const hunted = await hunt(mutant, seeds);
  parentPort?.postMessage(hunted, []);
}
