/** Choices by a seeded chance. */

export interface Chance {
  /** Uniform in [0, 1). */
  readonly unit: () => number;
  one<T>(of: readonly T[]): T;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** A number from `least` to below `most`. */
  between(least: number, most: number): number;
  /** True in one of so many cases. */
  yes(of: number): boolean;
  /** True with this probability. */
  with(probability: number): boolean;
}

export function chanceOf(unit: () => number): Chance {
  const below = (limit: number) => Math.floor(unit() * limit);
  return {
    unit,
    below,
    between: (least, most) => least + unit() * (most - least),
    yes: (of) => below(of) === 0,
    with: (probability) => unit() < probability,
    one: (of) => {
      const at = below(of.length);
      if (!(at in of)) throw new RangeError('Nothing to choose from');
      return of[at] as (typeof of)[number];
    },
  };
}
