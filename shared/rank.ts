/**
 * Rank: a card's place within its priority, as a base-62 string that sorts like text. A new card's rank is its
 * creation time, so nothing is read at create; a move takes a midpoint of its neighbours.
 */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = DIGITS.length;
/** Eight digits hold milliseconds for 6,900 years. */
const TIME_DIGITS = 8;

function encode(value: number, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest = Math.floor(rest / BASE)) {
    text = DIGITS.charAt(rest % BASE) + text;
  }
  return text;
}

/**
 * Rank of a card put at the bottom at `now`; two random digits keep cards of one millisecond apart. The last is
 * never the lowest digit: nothing would fit before such a rank.
 */
export function bottomRank(now: number, random: () => number): string {
  const tie = encode(Math.floor(random() * BASE), 1) + encode(1 + Math.floor(random() * (BASE - 1)), 1);
  return encode(now, TIME_DIGITS) + tie;
}

/**
 * A rank strictly between two others; `''` stands for the very top and `null` for the very bottom.
 * Never ends in the lowest digit, else nothing would fit before it.
 */
export function rankBetween(above: string, below: string | null): string {
  if (below !== null && above >= below) throw new RangeError('rankBetween: the ranks are not in order');
  let prefix = '';
  for (let at = 0; ; at += 1) {
    const low = at < above.length ? DIGITS.indexOf(above.charAt(at)) : 0;
    const open = below === null || (prefix !== below.slice(0, at) && prefix < below.slice(0, at));
    const high = open || below === null || at >= below.length ? BASE : DIGITS.indexOf(below.charAt(at));
    const middle = Math.floor((low + high) / 2);
    if (middle > low) return prefix + DIGITS.charAt(middle);
    prefix += DIGITS.charAt(low);
  }
}

/** `count` ranks in order, evenly spread between two others, for re-spacing neighbours. */
export function spreadRanks(above: string, below: string | null, count: number): string[] {
  if (count === 0) return [];
  const middle = Math.floor(count / 2);
  const rank = rankBetween(above, below);
  return [...spreadRanks(above, rank, middle), rank, ...spreadRanks(rank, below, count - middle - 1)];
}
