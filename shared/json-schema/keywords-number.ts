/** Keywords that ask something of numbers and let everything else pass. */
import type { KeywordCompiler } from './keyword-compiler.ts';

function numberKeyword(passes: (value: number, bound: number) => boolean, phrase: string): KeywordCompiler {
  return (keyword) => {
    if (typeof keyword !== 'number') {
      return null;
    }
    const message = `must be ${phrase} ${keyword}`;
    return (value, place, run) =>
      typeof value !== 'number' || passes(value, keyword) || run.fail(place, message);
  };
}

/** Quotients this many units in the last place from a whole number are whole: 19.99 is a multiple of 0.01. */
const ROUNDING_ULPS = 4;

function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) {
    return value % divisor === 0;
  }
  const quotient = value / divisor;
  if (!Number.isFinite(quotient)) {
    return value % divisor === 0;
  }
  const distance = Math.abs(quotient - Math.round(quotient));
  return distance <= Math.abs(quotient) * Number.EPSILON * ROUNDING_ULPS;
}

export const NUMBER_KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ['minimum', numberKeyword((value, bound) => value >= bound, 'at least')],
  ['maximum', numberKeyword((value, bound) => value <= bound, 'at most')],
  ['exclusiveMinimum', numberKeyword((value, bound) => value > bound, 'more than')],
  ['exclusiveMaximum', numberKeyword((value, bound) => value < bound, 'less than')],
  ['multipleOf', numberKeyword(isMultiple, 'a multiple of')],
];
