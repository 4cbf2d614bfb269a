/** A clock that stands still until a test, or a sleep of the engine, moves it. */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../shared/deps.ts';

const START = Date.UTC(2026, 2, 2, 9);
/** Longest real wait of one sleep: enough for others to get their turn. */
const REAL_SLEEP_MAX_MS = 50;

export class TestClock {
  #now: number;

  constructor(startAt = START) {
    this.#now = startAt;
  }

  readonly now = (): number => this.#now;

  advance(ms: number): void {
    this.#now += ms;
  }

  /**
   * Sleeps that move the clock to where they would have ended, never back, so that those who sleep side by side
   * take no longer than the longest of them. An aborted sleep moves nothing.
   */
  sleeper(kind: 'instant' | 'real'): Deps['sleep'] {
    return async (ms, signal) => {
      const wakes = this.#now + Math.ceil(ms);
      if (kind === 'real') await delay(Math.min(ms, REAL_SLEEP_MAX_MS));
      else await turn();
      if (signal?.aborted !== true) this.#now = Math.max(this.#now, wakes);
    };
  }
}
