/** What happens to whom: which claims end in a worker's death, and how each attempt goes. Repeated by the seed. */
import { pickDistinct, randomFrom } from '../random.ts';

/**
 * - `finish`: done, after a moment
 * - `long`: done, but only after more than one lease, which heartbeats have to carry
 * - `fail`: throws, and is tried again
 * - `busy`: asks to be tried again later, at no attempt's cost
 * - `poison`: throws however often it is tried, until its attempts are used up
 * - `hopeless`: says itself that it can never be done
 */
export type Fate = 'finish' | 'long' | 'fail' | 'busy' | 'poison' | 'hopeless';

/** Part of the cards that are so at every attempt. */
const POISON = 0.01;
const HOPELESS = 0.01;
/** Part of the attempts, up to and including. */
const FAIL = 0.06;
const BUSY = FAIL + 0.03;
const LONG = BUSY + 0.01;
/** Kills come among the first claims, so that each of them is reached and its recovery seen. */
const KILLED_WITHIN = 0.9;
/** Keeps one card's numbers apart from the next card's. */
const STRIDE = 7919;

/** How attempt number `run` of card number `card` goes. */
export function fateOf(seed: number, card: number, run: number): Fate {
  const nature = randomFrom(seed + card * STRIDE)();
  if (nature < POISON) return 'poison';
  if (nature < POISON + HOPELESS) return 'hopeless';
  const luck = randomFrom(seed + card * STRIDE + run)();
  if (luck < FAIL) return 'fail';
  if (luck < BUSY) return 'busy';
  return luck < LONG ? 'long' : 'finish';
}

/** The claims, counted over the whole fleet from 1, whose workers die. */
export function doomedClaims(seed: number, kills: number, cards: number): ReadonlySet<number> {
  return pickDistinct(randomFrom(seed), kills, Math.max(kills, Math.floor(cards * KILLED_WITHIN)));
}
