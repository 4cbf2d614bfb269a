/**
 * Applies a compiled schema to a value: a tree of checks, walked once, in which nothing is generated or evaluated
 * as code. What it owns is the walk, the errors and the bounds; what each keyword means is in `keywords-*.ts`.
 */
import { type CpuBudget, TooExpensive } from './cpu-budget.ts';
import { pointerStep } from './json.ts';
import { MAX_ERRORS, MAX_MESSAGE_LENGTH, MAX_NESTED_APPLICATIONS, MAX_PATH_LENGTH } from './limits.ts';

/** What is wrong with a value and where: `path` is a JSON pointer into the value. */
export interface SchemaError {
  readonly path: string;
  readonly message: string;
}

/** Place in the value, written out as a pointer only where there is an error to report. Null is the root. */
export type Place = { readonly above: Place; readonly step: string | number } | null;

export function below(above: Place, step: string | number): Place {
  return { above, step };
}

/** As far down as the pointer stays short: errors are stored with the card, and a name may have 60 KB. */
function pointerTo(place: Place): string {
  const steps: string[] = [];
  for (let at = place; at !== null; at = at.above) {
    steps.unshift(pointerStep(at.step));
  }
  let length = 0;
  const end = steps.findIndex((step) => (length += step.length) > MAX_PATH_LENGTH);
  return steps.slice(0, end === -1 ? steps.length : end).join('');
}

/** Properties and items that some subschema has looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Seen {
  readonly properties = new Set<string>();
  readonly items = new Set<number>();

  add(other: Seen): void {
    other.properties.forEach((name) => this.properties.add(name));
    other.items.forEach((position) => this.items.add(position));
  }
}

/** Says whether the value passes, having reported to the run if it does not. */
export type Check = (value: unknown, place: Place, run: Run, seen: Seen | null) => boolean;

/** A compiled subschema. Filled after it is made, since schemas may refer to themselves. */
export interface SchemaNode {
  /** True and false for the two boolean schemas. */
  always: boolean | null;
  checks: readonly Check[];
}

/** One value being checked: the errors so far and the bounds. */
export class Run {
  readonly #budget: CpuBudget;
  /** Only schemas with an `unevaluated` keyword pay for keeping track of what has been seen. */
  readonly #tracksSeen: boolean;
  #errors: SchemaError[] = [];
  #limit = MAX_ERRORS;
  #nested = 0;

  constructor(budget: CpuBudget, tracksSeen: boolean) {
    this.#budget = budget;
    this.#tracksSeen = tracksSeen;
  }

  get errors(): readonly SchemaError[] {
    return this.#errors;
  }

  /** No more errors are wanted: whoever loops may stop. */
  get full(): boolean {
    return this.#errors.length >= this.#limit;
  }

  get spend(): (steps: number) => void {
    return this.#budget.spend;
  }

  /** Reports an error. @returns false, for a check to return in turn. */
  fail(place: Place, message: string): false {
    if (!this.full) {
      this.#errors.push({ path: pointerTo(place), message: message.slice(0, MAX_MESSAGE_LENGTH) });
    }
    return false;
  }

  /**
   * Applies a subschema.
   * @param seen takes over what the subschema saw if the value passes; null where it applies to a part of the value.
   * @throws TooExpensive when a bound is reached.
   */
  apply(node: SchemaNode, value: unknown, place: Place, seen: Seen | null): boolean {
    this.spend(1);
    if (node.always !== null) {
      return node.always || this.fail(place, 'is not allowed here');
    }
    if (this.#nested >= MAX_NESTED_APPLICATIONS) {
      throw new TooExpensive(`more than ${MAX_NESTED_APPLICATIONS} subschemas apply inside one another`);
    }
    this.#nested += 1;
    const here = this.#tracksSeen ? new Seen() : null;
    const passes = this.#applyChecks(node, value, place, here);
    this.#nested -= 1;
    if (passes && here !== null && seen !== null) {
      this.spend(here.properties.size + here.items.size);
      seen.add(here);
    }
    return passes;
  }

  #applyChecks(node: SchemaNode, value: unknown, place: Place, seen: Seen | null): boolean {
    let passes = true;
    for (const check of node.checks) {
      passes = check(value, place, this, seen) && passes;
      if (!passes && this.full) {
        return false;
      }
    }
    return passes;
  }

  /** Applies a subschema that may fail without the value failing. @returns its first error, or null if it passes. */
  probe(node: SchemaNode, value: unknown, place: Place, seen: Seen | null): SchemaError | null {
    const [errors, limit] = [this.#errors, this.#limit];
    this.#errors = [];
    this.#limit = 1;
    this.apply(node, value, place, seen);
    const [first] = this.#errors;
    this.#errors = errors;
    this.#limit = limit;
    return first ?? null;
  }
}
