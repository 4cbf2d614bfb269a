/**
 * Reads a regular expression into a tree. The syntax is ECMAScript's with the `u` flag, as JSON Schema says, less
 * what no automaton can do: look-around and back-references. Whether it is well-formed is the language's own
 * constructor's verdict, so the parser need not find mistakes; what a single character matches is too.
 */
import { MAX_PATTERN_GROUPS } from './limits.ts';

/** Whether the element matches this character. `spend` is told where that takes more than a comparison. */
export type CharacterTest = (codePoint: number, spend: (steps: number) => void) => boolean;

export type PatternNode =
  | { readonly kind: 'character'; readonly matches: CharacterTest }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'assertion'; readonly at: Assertion };

export type Assertion = 'start' | 'end' | 'word_edge' | 'no_word_edge';

/** A pattern that is refused; the message is for the schema's author. */
export class PatternFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternFault';
  }
}

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['^', 'start'],
  ['$', 'end'],
  [String.raw`\b`, 'word_edge'],
  [String.raw`\B`, 'no_word_edge'],
]);

/** One element of a pattern that is not a group: a class, an escape (surrogate pairs are one), or a character. */
const ELEMENT =
  /\[(?:[^\]\\]|\\.)*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[\da-fA-F]+\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\.|./suy;

const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy;

const REFUSED_ESCAPE = /^\\[1-9k]/u;

const ASCII_CHARACTERS = 128;

/** @throws PatternFault for a pattern that is malformed or needs backtracking. */
export function parsePattern(source: string): PatternNode {
  assertWellFormed(source);
  return new PatternParser(source).choice(0);
}

function assertWellFormed(source: string): void {
  try {
    RegExp(source, 'u');
  } catch (error) {
    throw new PatternFault(error instanceof Error ? error.message : 'is no regular expression');
  }
}

class PatternParser {
  readonly #source: string;
  #position = 0;

  constructor(source: string) {
    this.#source = source;
  }

  choice(depth: number): PatternNode {
    if (depth > MAX_PATTERN_GROUPS) {
      throw new PatternFault(`groups nest more than ${MAX_PATTERN_GROUPS} deep`);
    }
    const options = [this.#sequence(depth)];
    while (this.#source[this.#position] === '|') {
      this.#position += 1;
      options.push(this.#sequence(depth));
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  #sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#position < this.#source.length && !this.#at('|') && !this.#at(')')) {
      parts.push(this.#quantified(this.#at('(') ? this.#group(depth) : this.#element()));
    }
    return { kind: 'sequence', parts };
  }

  #group(depth: number): PatternNode {
    this.#position += 1;
    if (this.#at('?')) {
      this.#skipGroupPrefix();
    }
    const inside = this.choice(depth + 1);
    this.#position += 1;
    return inside;
  }

  #skipGroupPrefix(): void {
    const rest = this.#source.slice(this.#position);
    if (/^\?<?[=!]/u.test(rest)) {
      throw new PatternFault(
        'look-ahead and look-behind are not supported: they cannot be checked in linear time',
      );
    }
    const prefix = /^\?(?::|<[^>]*>)/u.exec(rest);
    if (prefix === null) {
      throw new PatternFault('flags inside a pattern, as in (?i:...), are not supported');
    }
    this.#position += prefix[0].length;
  }

  #element(): PatternNode {
    const text = this.#take(ELEMENT)?.[0] ?? '';
    if (REFUSED_ESCAPE.test(text)) {
      throw new PatternFault('back-references are not supported: they cannot be checked in linear time');
    }
    const at = ASSERTIONS.get(text);
    return at === undefined ? { kind: 'character', matches: characterTest(text) } : { kind: 'assertion', at };
  }

  #quantified(node: PatternNode): PatternNode {
    const quantifier = this.#take(QUANTIFIER);
    if (quantifier === null) {
      return node;
    }
    const [, sign, least, comma, most] = quantifier;
    if (sign !== undefined) {
      return { kind: 'repeat', node, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const min = Number(least);
    const unbounded = comma !== undefined && (most === undefined || most === '');
    return {
      kind: 'repeat',
      node,
      min,
      max: comma === undefined ? min : unbounded ? Infinity : Number(most),
    };
  }

  #at(character: string): boolean {
    return this.#source[this.#position] === character;
  }

  #take(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.#position;
    const match = token.exec(this.#source);
    this.#position += match?.[0].length ?? 0;
    return match;
  }
}

function characterTest(text: string): CharacterTest {
  const literal = text.codePointAt(0);
  return literal === undefined || /^[.[\\]/u.test(text)
    ? classTest(text)
    : (codePoint) => codePoint === literal;
}

/** Steps for making the engine ready for one class (a large one takes 0.1 ms), and for asking it once. */
const STEPS_TO_PREPARE = 1_000;
const STEPS_TO_ASK = 5;

/** A class or escape is asked of the language's own engine, one character at a time: nothing there can backtrack. */
function classTest(text: string): CharacterTest {
  const ascii: (boolean | undefined)[] = Array.from({ length: ASCII_CHARACTERS });
  let engine: RegExp | undefined;
  return (codePoint, spend) => {
    const remembered = ascii[codePoint];
    if (remembered !== undefined) {
      return remembered;
    }
    spend(engine === undefined ? STEPS_TO_PREPARE : STEPS_TO_ASK);
    engine ??= RegExp(`^${text}$`, 'u');
    const matches = engine.test(String.fromCodePoint(codePoint));
    if (codePoint < ASCII_CHARACTERS) {
      ascii[codePoint] = matches;
    }
    return matches;
  };
}
