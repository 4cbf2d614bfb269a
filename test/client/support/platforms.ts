/** Platforms for tests: one whose waits cost no time, and one whose clock the test turns by hand. */
import { PLATFORM, type Platform } from '../../../client/index.ts';

/** Time limits of tests are set beyond this, waits between tries stay below it. */
const LONGEST_WAIT_MS = 31_000;

/**
 * The real platform, except that waits up to 31 s pass at once and are noted in `waits`; longer timers (time
 * limits) are real. `random` is always 0.5, keys count up.
 */
export function hurriedPlatform(): { readonly platform: Platform; readonly waits: number[] } {
  const waits: number[] = [];
  let keys = 0;
  const platform: Platform = {
    ...PLATFORM,
    random: () => 0.5,
    newKey: () => `key-${(keys += 1)}`,
    setTimer: (milliseconds, fire) => {
      if (milliseconds > LONGEST_WAIT_MS) return PLATFORM.setTimer(milliseconds, fire);
      waits.push(milliseconds);
      return PLATFORM.setTimer(0, fire);
    },
  };
  return { platform, waits };
}

/** A clock that stands still until it is turned. */
export class ManualClock {
  #nowMs = 1_000_000;
  #timers: { readonly atMs: number; readonly fire: () => void }[] = [];
  #keys = 0;
  randomValue = 0;

  readonly platform: Platform = {
    fetch: () => Promise.reject(new Error('No requests in this test')),
    monotonicMs: () => this.#nowMs,
    random: () => this.randomValue,
    newKey: () => `key-${(this.#keys += 1)}`,
    setTimer: (milliseconds, fire) => {
      const timer = { atMs: this.#nowMs + milliseconds, fire };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      };
    },
  };

  get nowMs(): number {
    return this.#nowMs;
  }

  get pendingTimers(): number {
    return this.#timers.length;
  }

  /** Turns the clock on, firing each timer at its time and letting what it set off run out first. */
  async advance(milliseconds: number): Promise<void> {
    const endMs = this.#nowMs + milliseconds;
    await settled();
    for (;;) {
      const next = this.#timers
        .filter((timer) => timer.atMs <= endMs)
        .sort((a, b) => a.atMs - b.atMs)
        .at(0);
      if (next === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#fire(next);
      await settled();
    }
    this.#nowMs = endMs;
  }

  /** The event loop stands still: time passes, and timers fire only afterwards. */
  async stall(milliseconds: number): Promise<void> {
    await settled();
    this.#nowMs += milliseconds;
    await this.advance(0);
  }

  #fire(timer: { readonly fire: () => void }): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
    timer.fire();
  }
}

/** Lets every promise that can settle do so. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
