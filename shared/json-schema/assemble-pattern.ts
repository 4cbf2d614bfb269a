/** Turns a pattern's tree into a program for the matcher in `pattern.ts`, counted repetitions written out. */
import { type Assertion, type CharacterTest, PatternFault, type PatternNode } from './parse-pattern.ts';

export type Instruction =
  | { readonly op: 'character'; readonly matches: CharacterTest }
  | { readonly op: 'assertion'; readonly at: Assertion }
  /** Go on at each of these. */
  | { readonly op: 'fork'; readonly targets: number[] };

/** What remains of the states that all patterns of one schema may use together. */
export interface StateAllowance {
  states: number;
}

/**
 * The program has matched where it runs off its end.
 * @throws PatternFault where the program is larger than the allowance, which is used up as it is written.
 */
export function assemblePattern(root: PatternNode, allowance: StateAllowance): readonly Instruction[] {
  const assembler = new Assembler(allowance);
  assembler.emit(root);
  return assembler.program;
}

class Assembler {
  readonly program: Instruction[] = [];
  readonly #allowance: StateAllowance;

  constructor(allowance: StateAllowance) {
    this.#allowance = allowance;
  }

  emit(node: PatternNode): void {
    switch (node.kind) {
      case 'character':
        return this.#push({ op: 'character', matches: node.matches });
      case 'assertion':
        return this.#push({ op: 'assertion', at: node.at });
      case 'sequence':
        return node.parts.forEach((part) => this.emit(part));
      case 'choice':
        return this.#emitChoice(node.options);
      case 'repeat':
        return this.#emitRepeat(node.node, node.min, node.max);
    }
  }

  #push(instruction: Instruction): void {
    this.#allowance.states -= 1;
    if (this.#allowance.states < 0) {
      throw new PatternFault(
        'the patterns of this schema are too large together: repeat less, or use maxLength',
      );
    }
    this.program.push(instruction);
  }

  /** @returns the targets, to which those not known yet are added later. */
  #fork(...targets: number[]): number[] {
    this.#push({ op: 'fork', targets });
    return targets;
  }

  #emitChoice(options: readonly PatternNode[]): void {
    const starts = this.#fork();
    const exits = options.map((option) => {
      starts.push(this.program.length);
      this.emit(option);
      return this.#fork();
    });
    exits.forEach((exit) => exit.push(this.program.length));
  }

  #emitRepeat(node: PatternNode, min: number, max: number): void {
    for (let copy = 0; copy < min; copy += 1) {
      const before = this.program.length;
      this.emit(node);
      if (this.program.length === before) {
        return; // Nothing, however often, is nothing: `(){1000000000}` must not be counted out.
      }
    }
    return max === Infinity ? this.#emitLoop(node) : this.#emitOptional(node, max - min);
  }

  #emitLoop(node: PatternNode): void {
    const start = this.program.length;
    const ways = this.#fork(start + 1);
    this.emit(node);
    this.#fork(start);
    ways.push(this.program.length);
  }

  #emitOptional(node: PatternNode, copies: number): void {
    const skips: number[][] = [];
    for (let copy = 0; copy < copies; copy += 1) {
      skips.push(this.#fork(this.program.length + 1));
      this.emit(node);
    }
    skips.forEach((skip) => skip.push(this.program.length));
  }
}
