/** Keywords that ask something of objects and let everything else pass. Names like `__proto__` are names like others. */
import { below, type Check, type Place, type Run } from './evaluate.ts';
import { isObject, isStrings, type JsonObject } from './json.ts';
import type { KeywordCompiler } from './keyword-compiler.ts';

/** The names in an object, paid for. */
function namesOf(value: JsonObject, run: Run): string[] {
  const names = Object.keys(value);
  run.spend(names.length);
  return names;
}

function sizeKeyword(passes: (size: number, bound: number) => boolean, phrase: string): KeywordCompiler {
  return (keyword) => {
    if (typeof keyword !== 'number') {
      return null;
    }
    const message = `must have ${phrase} ${keyword} properties`;
    return (value, place, run) =>
      !isObject(value) || passes(namesOf(value, run).length, keyword) || run.fail(place, message);
  };
}

function requireNames(
  value: JsonObject,
  names: readonly string[],
  place: Place,
  run: Run,
  why: string,
): boolean {
  run.spend(names.length);
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  missing.forEach((name) => run.fail(below(place, name), `is required${why}`));
  return missing.length === 0;
}

const required: KeywordCompiler = (keyword) =>
  isStrings(keyword)
    ? (value, place, run) => !isObject(value) || requireNames(value, keyword, place, run, '')
    : null;

const dependentRequired: KeywordCompiler = (keyword) => {
  const lists = isObject(keyword) ? Object.entries(keyword) : [];
  return (value, place, run) => {
    if (!isObject(value)) {
      return true;
    }
    let passes = true;
    for (const [name, needed] of lists) {
      if (Object.hasOwn(value, name) && isStrings(needed)) {
        passes = requireNames(value, needed, place, run, ` where ${JSON.stringify(name)} is given`) && passes;
      }
    }
    return passes;
  };
};

const properties: KeywordCompiler = (keyword, _schema, scope) => {
  const names = isObject(keyword) ? Object.keys(keyword) : [];
  const nodes = names.map((name) => [name, scope.subschema('properties', name)] as const);
  return (value, place, run, seen) => {
    if (!isObject(value)) {
      return true;
    }
    let passes = true;
    for (const [name, node] of nodes) {
      if (Object.hasOwn(value, name) && !run.full) {
        seen?.properties.add(name);
        passes = run.apply(node, value[name], below(place, name), null) && passes;
      }
    }
    return passes;
  };
};

const patternProperties: KeywordCompiler = (keyword, _schema, scope) => {
  const sources = isObject(keyword) ? Object.keys(keyword) : [];
  const rules = sources.map((source) => ({
    pattern: scope.pattern(source),
    node: scope.subschema('patternProperties', source),
  }));
  return (value, place, run, seen) => {
    if (!isObject(value)) {
      return true;
    }
    let passes = true;
    for (const name of namesOf(value, run)) {
      for (const { pattern, node } of rules) {
        if (!run.full && pattern.occursIn(name, run.spend)) {
          seen?.properties.add(name);
          passes = run.apply(node, value[name], below(place, name), null) && passes;
        }
      }
    }
    return passes;
  };
};

const additionalProperties: KeywordCompiler = (_keyword, schema, scope) => {
  const node = scope.subschema('additionalProperties');
  const named = new Set(isObject(schema['properties']) ? Object.keys(schema['properties']) : []);
  const sources = isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : [];
  const patterns = sources.map(scope.pattern);
  const check: Check = (value, place, run, seen) => {
    if (!isObject(value)) {
      return true;
    }
    let passes = true;
    for (const name of namesOf(value, run)) {
      if (run.full || named.has(name) || patterns.some((pattern) => pattern.occursIn(name, run.spend))) {
        continue;
      }
      seen?.properties.add(name);
      passes = run.apply(node, value[name], below(place, name), null) && passes;
    }
    return passes;
  };
  return check;
};

const propertyNames: KeywordCompiler = (_keyword, _schema, scope) => {
  const node = scope.subschema('propertyNames');
  return (value, place, run) => {
    if (!isObject(value)) {
      return true;
    }
    let passes = true;
    for (const name of namesOf(value, run)) {
      const error = run.full ? null : run.probe(node, name, null, null);
      if (error !== null) {
        passes = run.fail(below(place, name), `has a name that is not allowed: it ${error.message}`);
      }
    }
    return passes;
  };
};

export const OBJECT_KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ['minProperties', sizeKeyword((size, bound) => size >= bound, 'at least')],
  ['maxProperties', sizeKeyword((size, bound) => size <= bound, 'at most')],
  ['required', required],
  ['dependentRequired', dependentRequired],
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['additionalProperties', additionalProperties],
  ['propertyNames', propertyNames],
];
