/** A promise found broken, by its number in the list of invariants. */
export interface Violation {
  /** `S1` to `S18`, `L1` to `L7`. */
  readonly rule: string;
  /** When, in ms of the simulation. */
  readonly at: number;
  readonly what: string;
}
