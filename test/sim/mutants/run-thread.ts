/** One of the threads of `npm run mutants`: hunts its share, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { hunt, type Meetings } from './hunt.ts';
import type { Mutant } from './mutant.ts';

const { mutants, meetings } = workerData as { mutants: readonly Mutant[]; meetings: Meetings };

// Refusals are common, and each would note where it came from.
Error.stackTraceLimit = 0;

for (const mutant of mutants) {
  const hunted = await hunt(mutant, meetings.get(mutant.op) ?? []);
  parentPort?.postMessage(hunted, []);
}
