/** Keywords that ask the same of every value: `type`, `enum`, `const`. */
import { canonicalText, isArray, isObject } from './json.ts';
import type { KeywordCompiler } from './keyword-compiler.ts';

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['null', (value: unknown) => value === null],
  ['boolean', (value: unknown) => typeof value === 'boolean'],
  ['integer', Number.isInteger],
  ['number', (value: unknown) => typeof value === 'number'],
  ['string', (value: unknown) => typeof value === 'string'],
  ['array', isArray],
  ['object', isObject],
]);

export const TYPE_NAMES: readonly string[] = [...TYPES.keys()];

const type: KeywordCompiler = (keyword) => {
  const names = isArray(keyword) ? keyword : [keyword];
  const tests = names.flatMap((name) => TYPES.get(String(name)) ?? []);
  const message = `must be of type ${names.join(' or ')}`;
  return (value, place, run) => tests.some((test) => test(value)) || run.fail(place, message);
};

/** Texts of values shown in a message, at most. */
const SHOWN = 10;

const free = (): void => undefined;

function oneOfValues(allowed: readonly unknown[], message: string): ReturnType<KeywordCompiler> {
  const texts = new Set(allowed.map((entry) => canonicalText(entry, free)));
  const anyComposite = allowed.some((entry) => typeof entry === 'object' && entry !== null);
  return (value, place, run) => {
    const comparable = anyComposite || typeof value !== 'object' || value === null;
    return (comparable && texts.has(canonicalText(value, run.spend))) || run.fail(place, message);
  };
}

const enumeration: KeywordCompiler = (keyword) => {
  if (!isArray(keyword)) {
    return null;
  }
  const shown = keyword.slice(0, SHOWN).map((entry) => JSON.stringify(entry));
  const more = keyword.length > SHOWN ? `, or ${keyword.length - SHOWN} more` : '';
  return oneOfValues(keyword, `must be one of ${shown.join(', ')}${more}`);
};

const constant: KeywordCompiler = (keyword) => oneOfValues([keyword], `must be ${JSON.stringify(keyword)}`);

export const VALUE_KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ['type', type],
  ['enum', enumeration],
  ['const', constant],
];
