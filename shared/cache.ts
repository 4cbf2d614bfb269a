/**
 * A small memory of items that change seldom, each good for a fixed time. Bounded: an instance that sees many
 * boards forgets the oldest. Two equal look-ups at once read once.
 */
const ENTRIES_MAX = 1_000;

export class Cache<T> {
  readonly #entries = new Map<string, { at: number; value: Promise<T | undefined> }>();
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor(ttlMs: number, now: () => number) {
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** The remembered value, or what `load` finds; what is missing or fails is not remembered. */
  async get(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#now() - known.at < this.#ttlMs) return known.value;
    const entry = { at: this.#now(), value: load() };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#trim();
    const forget = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    try {
      const value = await entry.value;
      if (value === undefined) forget();
      return value;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Whether the next `get` would answer from memory. */
  has(key: string): boolean {
    const known = this.#entries.get(key);
    return known !== undefined && this.#now() - known.at < this.#ttlMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Drops one entry: whoever changed the item must see the change at once. */
  forget(key: string): void {
    this.#entries.delete(key);
  }

  #trim(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= ENTRIES_MAX) return;
      this.#entries.delete(key);
    }
  }
}
