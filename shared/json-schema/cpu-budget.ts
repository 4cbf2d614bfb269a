/**
 * Ends a check that costs too much. The work is counted in steps and the clock is looked at now and then.
 *
 * The clock is the thread's CPU time: a process that the machine put aside for a second has spent none of it,
 * and one value's verdict does not depend on what else runs. It needs no second thread and no timer.
 */
import { MAX_CPU_MS, STEPS_BETWEEN_LOOKS } from './limits.ts';

/** Thrown out of a check whose budget is gone; `validateValue` turns it into its answer. */
export class TooExpensive extends Error {
  constructor(what: string) {
    super(`The check was stopped: ${what}.`);
    this.name = 'TooExpensive';
  }
}

/** Milliseconds of CPU that this thread has used so far, in user code and in the kernel. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export class CpuBudget {
  readonly #cpuMs: () => number;
  readonly #end: number;
  #steps = STEPS_BETWEEN_LOOKS;

  /** @param cpuMs the clock, in milliseconds; it is read once now, and then every few thousand steps. */
  constructor(cpuMs: () => number) {
    this.#cpuMs = cpuMs;
    this.#end = cpuMs() + MAX_CPU_MS;
  }

  /** Bound, since it is handed on as a function. @throws TooExpensive once the milliseconds are used up. */
  readonly spend = (steps: number): void => {
    this.#steps -= steps;
    if (this.#steps > 0) {
      return;
    }
    this.#steps = STEPS_BETWEEN_LOOKS;
    if (this.#cpuMs() > this.#end) {
      throw new TooExpensive(`it used more than ${MAX_CPU_MS} ms of CPU`);
    }
  };
}
