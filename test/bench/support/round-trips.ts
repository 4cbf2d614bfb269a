/**
 * Counts sequential round trips. Every call takes the same time here: answers are held back until all calls that
 * are under way have theirs, and then handed out together. What starts after that waited for an answer and is the
 * next round; what ran beside it was the same one, however long the emulator took.
 */
import { setImmediate as turn } from 'node:timers/promises';

/** Turns of the event loop without a new call, after which none will come before an answer does. */
const QUIET_TURNS = 4;

export class RoundTrips {
  #rounds = 0;
  #underWay = 0;
  #held: (() => void)[] = [];
  readonly #onRound: () => void;

  /** @param onRound Called as the answers of a round are handed out. */
  constructor(onRound: () => void = () => undefined) {
    this.#onRound = onRound;
  }

  get rounds(): number {
    return this.#rounds;
  }

  reset(): void {
    this.#rounds = 0;
  }

  /** Runs one call as a part of the present round. */
  async within<T>(call: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await call();
    } finally {
      await this.#endOfRound();
    }
  }

  async #endOfRound(): Promise<void> {
    this.#underWay -= 1;
    const released = new Promise<void>((resolve) => this.#held.push(resolve));
    if (this.#underWay === 0) void this.#releaseWhenQuiet();
    await released;
  }

  async #releaseWhenQuiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      await turn();
      if (this.#underWay > 0) return;
    }
    const held = this.#held.splice(0);
    if (held.length === 0) return;
    this.#rounds += 1;
    this.#onRound();
    for (const release of held) release();
  }
}
