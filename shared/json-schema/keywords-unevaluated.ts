/** Keywords for what no other keyword of the schema, and none of what it refers to, has looked at. They apply last. */
import { below } from './evaluate.ts';
import { isArray, isObject } from './json.ts';
import type { KeywordCompiler } from './keyword-compiler.ts';

const unevaluatedProperties: KeywordCompiler = (_keyword, _schema, scope) => {
  const node = scope.subschema('unevaluatedProperties');
  return (value, place, run, seen) => {
    if (!isObject(value)) {
      return true;
    }
    let passes = true;
    for (const [name, property] of Object.entries(value)) {
      run.spend(1);
      if (!run.full && seen?.properties.has(name) === false) {
        seen.properties.add(name);
        passes = run.apply(node, property, below(place, name), null) && passes;
      }
    }
    return passes;
  };
};

const unevaluatedItems: KeywordCompiler = (_keyword, _schema, scope) => {
  const node = scope.subschema('unevaluatedItems');
  return (value, place, run, seen) => {
    if (!isArray(value)) {
      return true;
    }
    let passes = true;
    for (const [position, item] of value.entries()) {
      run.spend(1);
      if (!run.full && seen?.items.has(position) === false) {
        seen.items.add(position);
        passes = run.apply(node, item, below(place, position), null) && passes;
      }
    }
    return passes;
  };
};

export const UNEVALUATED_KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ['unevaluatedItems', unevaluatedItems],
  ['unevaluatedProperties', unevaluatedProperties],
];
