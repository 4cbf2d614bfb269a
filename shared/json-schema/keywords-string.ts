/** Keywords that ask something of strings and let everything else pass. */
import { FORMATS } from './formats.ts';
import type { KeywordCompiler } from './keyword-compiler.ts';

/** Characters that one step pays for where a string is only scanned. */
const CHARACTERS_PER_STEP = 8;

/** In Unicode characters, as the specification counts: an emoji is one, though it is two in a JavaScript string. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) {
    length += 1;
  }
  return length;
}

function lengthKeyword(passes: (length: number, bound: number) => boolean, phrase: string): KeywordCompiler {
  return (keyword) => {
    if (typeof keyword !== 'number') {
      return null;
    }
    const message = `must have ${phrase} ${keyword} characters`;
    return (value, place, run) => {
      if (typeof value !== 'string') {
        return true;
      }
      run.spend(value.length / CHARACTERS_PER_STEP);
      return passes(lengthOf(value), keyword) || run.fail(place, message);
    };
  };
}

const pattern: KeywordCompiler = (keyword, _schema, scope) => {
  if (typeof keyword !== 'string') {
    return null;
  }
  const compiled = scope.pattern(keyword);
  const message = `must match the pattern ${keyword}`;
  return (value, place, run) =>
    typeof value !== 'string' || compiled.occursIn(value, run.spend) || run.fail(place, message);
};

const format: KeywordCompiler = (keyword) => {
  const test = typeof keyword === 'string' ? FORMATS.get(keyword) : undefined;
  if (test === undefined) {
    return null;
  }
  const message = `must be a valid ${String(keyword)}`;
  return (value, place, run) => {
    if (typeof value !== 'string') {
      return true;
    }
    run.spend(value.length / CHARACTERS_PER_STEP);
    return test(value) || run.fail(place, message);
  };
};

export const STRING_KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ['minLength', lengthKeyword((length, bound) => length >= bound, 'at least')],
  ['maxLength', lengthKeyword((length, bound) => length <= bound, 'at most')],
  ['pattern', pattern],
  ['format', format],
];
