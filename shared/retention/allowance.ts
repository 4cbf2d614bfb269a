/** What one run of the reaper may still do for one board: so much is removed, so long does it take. */
import type { Engine } from '../engine.ts';
import { REMOVED_PER_RUN } from './policy.ts';

export class Allowance {
  readonly #now: () => number;
  readonly #until: number;
  #left = REMOVED_PER_RUN;

  /** @param until When it ends, in ms. */
  constructor(engine: Engine, until: number) {
    this.#now = () => engine.deps.now();
    this.#until = until;
  }

  get over(): boolean {
    return this.#left <= 0 || this.#now() >= this.#until;
  }

  spend(removed: number): void {
    this.#left -= removed;
  }
}
