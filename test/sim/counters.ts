/** How often a run was in a state that the engine must survive. A run that never gets there proves nothing. */

export class Counters {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, this.of(name) + by);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  addAll(other: Counters): void {
    for (const [name, count] of other.#counts) this.add(name, count);
  }

  /** By name, in order. */
  entries(): [string, number][] {
    return [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
}
