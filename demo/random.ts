/** Randomness that a seed repeats: which claims end how, not how long the machine takes for them. */

/** Numbers of 0 up to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` different whole numbers of 1 to `highest`, or all of them when there are fewer. */
export function pickDistinct(random: () => number, count: number, highest: number): Set<number> {
  const picked = new Set<number>();
  while (picked.size < Math.min(count, highest)) picked.add(1 + Math.floor(random() * highest));
  return picked;
}
