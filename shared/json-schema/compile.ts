/**
 * Turns a schema into a tree of checks. It expects a schema that `checkSchema` has accepted; of any other it
 * ignores what has the wrong shape, and throws `UnusableSchema` where there is nothing sensible to ignore.
 */
import type { Check, SchemaNode } from './evaluate.ts';
import { isObject, type JsonObject, pointerStep } from './json.ts';
import type { KeywordCompiler, Scope } from './keyword-compiler.ts';
import { ARRAY_KEYWORDS } from './keywords-array.ts';
import { COMBINING_KEYWORDS } from './keywords-combining.ts';
import { NUMBER_KEYWORDS } from './keywords-number.ts';
import { OBJECT_KEYWORDS } from './keywords-object.ts';
import { STRING_KEYWORDS } from './keywords-string.ts';
import { UNEVALUATED_KEYWORDS } from './keywords-unevaluated.ts';
import { VALUE_KEYWORDS } from './keywords-value.ts';
import { PatternFault } from './parse-pattern.ts';
import { type Pattern, PatternSet } from './pattern.ts';
import { resolveReference } from './references.ts';
import { indexSubschemas } from './subschemas.ts';

/** In the order in which they apply: what `unevaluated` keywords ask for is known only after all others. */
const KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ...VALUE_KEYWORDS,
  ...NUMBER_KEYWORDS,
  ...STRING_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...OBJECT_KEYWORDS,
  ...COMBINING_KEYWORDS,
  ...UNEVALUATED_KEYWORDS,
];

/** A stored schema that can no longer be used. `checkSchema` lets none pass. */
export class UnusableSchema extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableSchema';
  }
}

export interface CompiledSchema {
  readonly root: SchemaNode;
  /** Some subschema has an `unevaluated` keyword. */
  readonly tracksSeen: boolean;
}

/** @throws UnusableSchema for a reference that leads nowhere, a pattern that is refused, or too many subschemas. */
export function compileSchema(schema: unknown): CompiledSchema {
  const index = indexSubschemas(schema);
  const patterns = new PatternSet();
  const nodes = new Map<string, SchemaNode>();

  const nodeAt = (pointer: string): SchemaNode => {
    const known = nodes.get(pointer);
    if (known !== undefined) {
      return known;
    }
    const subschema = index.byPointer.get(pointer);
    if (subschema === undefined) {
      throw new UnusableSchema('it has too many subschemas');
    }
    const node: SchemaNode = { always: null, checks: [] };
    nodes.set(pointer, node);
    if (isObject(subschema.schema)) {
      node.checks = checksOf(subschema.schema, scopeAt(pointer));
    } else {
      node.always = subschema.schema !== false;
    }
    return node;
  };
  const scopeAt = (pointer: string): Scope => ({
    subschema: (...names) => nodeAt(`${pointer}${names.map(pointerStep).join('')}`),
    reference: (ref) => {
      const target = resolveReference(ref, index);
      if (target === undefined) {
        throw new UnusableSchema(`${ref} does not name a subschema`);
      }
      return nodeAt(target);
    },
    pattern: (source) => usablePattern(() => patterns.compile(source)),
  });

  const root = nodeAt('');
  const tracksSeen = [...index.byPointer.values()].some(
    ({ schema: raw }) => isObject(raw) && UNEVALUATED_KEYWORDS.some(([name]) => Object.hasOwn(raw, name)),
  );
  return { root, tracksSeen };
}

function checksOf(schema: JsonObject, scope: Scope): Check[] {
  return KEYWORDS.flatMap(([name, compile]) => {
    const check = Object.hasOwn(schema, name) ? compile(schema[name], schema, scope) : null;
    return check === null ? [] : [check];
  });
}

function usablePattern(compile: () => Pattern): Pattern {
  try {
    return compile();
  } catch (error) {
    throw error instanceof PatternFault ? new UnusableSchema(error.message) : error;
  }
}
