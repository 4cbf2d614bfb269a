/** What a keyword's implementation looks like: it is compiled once per schema into a check, or into nothing. */
import type { Check, SchemaNode } from './evaluate.ts';
import type { JsonObject } from './json.ts';
import type { Pattern } from './pattern.ts';

/** What a keyword's compiler may ask for. Names are the way from the keyword's own schema. */
export interface Scope {
  readonly subschema: (...names: (string | number)[]) => SchemaNode;
  readonly reference: (ref: string) => SchemaNode;
  readonly pattern: (source: string) => Pattern;
}

/** @returns null where the keyword, with this value, checks nothing. */
export type KeywordCompiler = (keyword: unknown, schema: JsonObject, scope: Scope) => Check | null;
