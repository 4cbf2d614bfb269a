/** How many cards are in hand, of how many at once. */
import { deferred } from './deferred.ts';

export class Slots {
  readonly #size: number;
  readonly #running = new Set<Promise<void>>();
  #freed = deferred<void>();

  constructor(size: number) {
    if (!Number.isInteger(size) || size < 1) {
      throw new RangeError(`A worker's concurrency is a whole number of at least 1, not ${size}`);
    }
    this.#size = size;
  }

  get taken(): number {
    return this.#running.size;
  }

  /** Number of free slots, once there is one; 0 when `stopping` has aborted and `wake` was called. */
  async free(stopping: AbortSignal): Promise<number> {
    while (!stopping.aborted) {
      const free = this.#size - this.#running.size;
      if (free > 0) return free;
      await this.#freed.promise;
    }
    return 0;
  }

  /** Takes a slot until `job`, which never rejects, is over. */
  take(job: Promise<void>): void {
    this.#running.add(job);
    void job.finally(() => {
      this.#running.delete(job);
      this.wake();
    });
  }

  /** Makes whoever waits for a slot look again, at `stopping` too. */
  wake(): void {
    this.#freed.resolve();
    this.#freed = deferred<void>();
  }

  /** Resolves when nothing is in hand. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
