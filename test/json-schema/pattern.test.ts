import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_PATTERN_CHARACTERS,
  MAX_PATTERN_GROUPS,
  MAX_PATTERN_STATES,
} from '../../shared/json-schema/limits.ts';
import { PatternFault } from '../../shared/json-schema/parse-pattern.ts';
import { PatternSet } from '../../shared/json-schema/pattern.ts';

const free = (): void => undefined;

function occurs(source: string, text: string): boolean {
  return new PatternSet().compile(source).occursIn(text, free);
}

/** Steps that one match takes: what the CPU budget counts, and the same on every machine. */
function steps(source: string, text: string): number {
  let total = 0;
  new PatternSet().compile(source).occursIn(text, (count) => {
    total += count;
  });
  return total;
}

function refusal(source: string): string {
  try {
    new PatternSet().compile(source);
  } catch (error) {
    if (error instanceof PatternFault) {
      return error.message;
    }
    throw error;
  }
  return 'accepted';
}

describe('A pattern matches what the language’s own engine matches', () => {
  const texts = [
    '',
    'a',
    'ab',
    'aab',
    'abc',
    'b a',
    'a\nb',
    '\n',
    '0',
    '_',
    '-',
    'é',
    'ä b',
    '💩',
    'a💩',
    '\u2028',
    '/',
    'A',
    ' a',
  ];
  const patterns = [
    String.raw`^$`,
    'a',
    '^a',
    'a$',
    '^a*$',
    '^a+b?$',
    '^(a|b)+$',
    '^(?:ab|a)b*$',
    '^(?<x>a)b$',
    '.',
    '^.$',
    '^..$',
    'a{2}',
    '^a{1,2}$',
    'a{0}',
    'a{2,}',
    '^(a*)*$',
    '^(a*)+$',
    '(|a)b',
    '^(?:){3}a',
    '[ab]',
    '^[^a]$',
    '[]',
    '[^]',
    '^[a-c]+$',
    String.raw`^[\w-]+$`,
    String.raw`[\]\-]`,
    String.raw`\d`,
    String.raw`\D`,
    String.raw`^\w+$`,
    String.raw`\W`,
    String.raw`\s`,
    String.raw`^\S+$`,
    String.raw`\bb`,
    String.raw`a\b`,
    String.raw`\Bb`,
    String.raw`^\p{L}+$`,
    String.raw`\P{L}`,
    String.raw`^\u00e9$`,
    String.raw`^\ud83d\udca9$`,
    String.raw`\u{1F4A9}`,
    '^💩$',
    '[💩é]',
    String.raw`\x41`,
    String.raw`\cJ`,
    String.raw`\n`,
    String.raw`\/`,
    String.raw`\0`,
    'a*?b',
    'a|',
    '^a|b$',
    String.raw`^[\s\S]*$`,
    String.raw`^\p{Script=Latin}`,
    String.raw`\.`,
    String.raw`^(?:a|ab)(?:c|bcd)?$`,
  ];

  it.each(patterns)('%s', (source) => {
    const native = new RegExp(source, 'u');
    expect(texts.map((text) => occurs(source, text))).toEqual(texts.map((text) => native.test(text)));
  });

  it('and where it looks into the middle of a character, what the language says', () => {
    expect(new RegExp(String.raw`\B`, 'u').test('a💩a')).toBe(true); // Between the two halves of the 💩.
    expect(occurs(String.raw`\B`, 'a💩a')).toBe(false);
  });

  /** Patterns built from the parts there are (but for that `\B`), small enough for the native engine to survive. */
  const source = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(
        'a',
        'b',
        '.',
        '[ab]',
        '[^a]',
        String.raw`\w`,
        String.raw`\s`,
        'é',
        '💩',
        '^',
        '$',
        String.raw`\b`,

        String.raw`\p{Lu}`,
        '',
      ),
      tie('pattern').map((inside) => `(?:${inside})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'))
        .map(([inside, times]) => `(${inside})${times}`),
    ),
    pattern: fc
      .array(fc.array(tie('atom'), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((options) => options.map((parts) => parts.join('')).join('|')),
  })).pattern;

  it('for generated patterns and texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', ' ', 'é', '💩', 'A', '\n'), { maxLength: 7 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        source,
        text,
        (pattern, subject) => occurs(pattern, subject) === new RegExp(pattern, 'u').test(subject),
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('The time of a match', () => {
  it.each([
    ['^(a|a)*$', 'a'],
    ['^(a+)+$', 'a'],
    ['(a*)*b', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    [String.raw`^(\w+\s?)+$`, 'a '],
    ['(x+x+)+y', 'x'],
    ['.*.*=.*', 'x'],
    ['^(?:a?){30}a{30}$', 'a'],
  ])('of %s grows with the text and not faster', (pattern, unit) => {
    const [once, twice] = [1_000, 2_000].map((length) => steps(pattern, `${unit.repeat(length)}!`));
    expect(once).toBeGreaterThan(0);
    expect(twice! / once!).toBeLessThan(2.1);
  });

  it('is paid for per state, so that a large pattern on a large text is stopped by the budget', () => {
    expect(steps('a{0,1000}b', 'a'.repeat(2_000))).toBeGreaterThan(1_000_000);
  });
});

describe('The first use of a class', () => {
  it('is paid for like the time that it takes, since preparing a large one takes 0.1 ms', () => {
    const classes = Array.from({ length: 100 }, (_, n) => String.raw`[\p{L}${n}]`);
    expect(steps(classes.join('|'), '!')).toBeGreaterThan(100_000);
  });
});

describe('A pattern is refused', () => {
  it.each([
    ['(?=a)', /look-ahead/u],
    ['(?!a)', /look-ahead/u],
    ['(?<=a)b', /look-behind/u],
    ['(?<!a)b', /look-behind/u],
    [String.raw`(a)\1`, /back-references/u],
    [String.raw`(?<x>a)\k<x>`, /back-references/u],
    ['(?i:a)', /flags inside/u],
    ['(', /Unterminated group/u],
    ['[', /Unterminated character class/u],
    ['a**', /Nothing to repeat/u],
    [String.raw`\y`, /Invalid escape/u],
    ['a{2,1}', /out of order/u],
    [String.raw`\p{Nonsense}`, /Invalid property name/u],
    ['(?<x>a)(?<x>b)', /Duplicate/u],
  ])('when it is %s', (pattern, message) => {
    expect(refusal(pattern)).toMatch(message);
  });

  it('when its states are one more than all patterns of a schema may have', () => {
    expect(refusal(`a{${MAX_PATTERN_STATES}}`)).toBe('accepted');
    expect(refusal(`a{${MAX_PATTERN_STATES + 1}}`)).toMatch(/too large together/u);
    expect(refusal('(((a{100}){100}){100}){100}')).toMatch(/too large together/u);
    expect(refusal('^(?:(?:ab?){999}){999}$')).toMatch(/too large together/u);
  });

  it('when the patterns before it have used up what there is', () => {
    const patterns = new PatternSet();
    patterns.compile(`a{${MAX_PATTERN_STATES - 1}}`);
    patterns.compile(`a{${MAX_PATTERN_STATES - 1}}`);
    patterns.compile('b');
    expect(() => patterns.compile('c')).toThrow(PatternFault);
  });

  it('when the characters are one more than all patterns of a schema may have', () => {
    expect(refusal(`[${'a'.repeat(MAX_PATTERN_CHARACTERS - 2)}]`)).toBe('accepted');
    expect(refusal(`[${'a'.repeat(MAX_PATTERN_CHARACTERS - 1)}]`)).toMatch(/characters together/u);
  });

  it('when its groups nest one deeper than is allowed', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    expect(refusal(nested(MAX_PATTERN_GROUPS))).toBe('accepted');
    expect(refusal(nested(MAX_PATTERN_GROUPS + 1))).toMatch(/groups nest/u);
  });

  it('never for repeating nothing, however often', () => {
    expect(occurs('((){1000000000}){1000000000}a', 'a')).toBe(true);
  });
});
