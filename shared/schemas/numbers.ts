/** Fractions as the table takes them. DynamoDB refuses numbers nearer to 0 than 1e-130, which JSON may hold. */

/** Far below what any fraction of a request means. */
export const LEAST_FRACTION = 0.000001;

export const isStorable = (fraction: number): boolean =>
  fraction === 0 || Math.abs(fraction) >= LEAST_FRACTION;
