/**
 * Matches text against a pattern in time linear in the text, whatever the pattern: all ways to match advance
 * together, one character at a time (Thompson's construction), so there is nothing to backtrack into.
 * It answers only whether the pattern occurs, which is all that `pattern` and `patternProperties` ask.
 */
import { assemblePattern, type Instruction, type StateAllowance } from './assemble-pattern.ts';
import { MAX_PATTERN_CHARACTERS, MAX_PATTERN_STATES } from './limits.ts';
import { type Assertion, type CharacterTest, parsePattern, PatternFault } from './parse-pattern.ts';

export interface Pattern {
  /** True if the pattern occurs in the text. `spend` is told of every state looked at. */
  readonly occursIn: (text: string, spend: (steps: number) => void) => boolean;
}

/** The patterns of one schema, each compiled once, and all together within one bound on their size. */
export class PatternSet {
  readonly #compiled = new Map<string, Pattern>();
  readonly #allowance = { states: MAX_PATTERN_STATES };
  #characters = MAX_PATTERN_CHARACTERS;

  /** @throws PatternFault for a pattern that is malformed, not supported, or too large beside the others. */
  compile(source: string): Pattern {
    const known = this.#compiled.get(source);
    if (known !== undefined) {
      return known;
    }
    this.#characters -= source.length;
    if (this.#characters < 0) {
      throw new PatternFault(
        `the patterns of this schema have more than ${MAX_PATTERN_CHARACTERS} characters together`,
      );
    }
    const pattern = compilePattern(source, this.#allowance);
    this.#compiled.set(source, pattern);
    return pattern;
  }
}

function compilePattern(source: string, allowance: StateAllowance): Pattern {
  const program = assemblePattern(parsePattern(source), allowance);
  const [first] = program;
  const anchored = first?.op === 'assertion' && first.at === 'start';
  const reached = new Uint32Array(program.length + 1);
  return { occursIn: (text, spend) => occurs({ program, anchored, reached }, text, spend) };
}

interface Machine {
  readonly program: readonly Instruction[];
  /** It can only begin at the start of the text. */
  readonly anchored: boolean;
  /** Per instruction, the last round that reached it; kept between texts, so that a text allocates none. */
  readonly reached: Uint32Array;
}

/** What stands before and after a place in the text; undefined at its ends. */
interface Place {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The first character that takes two places in a JavaScript string. */
const FIRST_WIDE_CHARACTER = 0x1_00_00;

function occurs(machine: Machine, text: string, spend: (steps: number) => void): boolean {
  machine.reached.fill(0);
  let seeds: number[] = [0];
  let before: number | undefined;
  let position = 0;
  for (let round = 1; ; round += 1) {
    const after = text.codePointAt(position);
    const found = follow(machine, seeds, { before, after }, round);
    spend(found.states);
    if (found.matched || after === undefined) {
      return found.matched;
    }
    seeds = machine.anchored ? [] : [0];
    for (const { matches, next } of found.characters) {
      if (matches(after, spend)) {
        seeds.push(next);
      }
    }
    if (seeds.length === 0) {
      return false;
    }
    before = after;
    position += after < FIRST_WIDE_CHARACTER ? 1 : 2;
  }
}

interface Found {
  readonly matched: boolean;
  /** Tests that the next character may pass, each with where it leads. */
  readonly characters: readonly { readonly matches: CharacterTest; readonly next: number }[];
  readonly states: number;
}

/** Everything that the seeds lead to without reading a character. Each instruction is entered once a round. */
function follow(machine: Machine, seeds: readonly number[], place: Place, round: number): Found {
  const characters: { matches: CharacterTest; next: number }[] = [];
  const pending = [...seeds];
  let matched = false;
  let states = 1;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (machine.reached[at] === round) {
      continue;
    }
    machine.reached[at] = round;
    states += 1;
    const instruction = machine.program[at];
    if (instruction === undefined) {
      matched = true;
    } else if (instruction.op === 'character') {
      characters.push({ matches: instruction.matches, next: at + 1 });
    } else if (instruction.op === 'fork') {
      pending.push(...instruction.targets);
    } else if (HOLDS[instruction.at](place)) {
      pending.push(at + 1);
    }
  }
  return { matched, characters, states };
}

const HOLDS: Readonly<Record<Assertion, (place: Place) => boolean>> = {
  start: ({ before }) => before === undefined,
  end: ({ after }) => after === undefined,
  word_edge: ({ before, after }) => isWord(before) !== isWord(after),
  no_word_edge: ({ before, after }) => isWord(before) === isWord(after),
};

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && /^\w$/u.test(String.fromCodePoint(codePoint));
}
