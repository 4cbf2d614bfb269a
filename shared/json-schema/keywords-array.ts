/** Keywords that ask something of arrays and let everything else pass. */
import { below } from './evaluate.ts';
import { canonicalText, isArray, type JsonObject } from './json.ts';
import type { KeywordCompiler } from './keyword-compiler.ts';

function sizeKeyword(passes: (size: number, bound: number) => boolean, phrase: string): KeywordCompiler {
  return (keyword) => {
    if (typeof keyword !== 'number') {
      return null;
    }
    const message = `must have ${phrase} ${keyword} items`;
    return (value, place, run) =>
      !isArray(value) || passes(value.length, keyword) || run.fail(place, message);
  };
}

const uniqueItems: KeywordCompiler = (keyword) => {
  if (keyword !== true) {
    return null;
  }
  return (value, place, run) => {
    if (!isArray(value)) {
      return true;
    }
    const positions = new Map<string, number>();
    for (const [position, item] of value.entries()) {
      const text = canonicalText(item, run.spend);
      const earlier = positions.get(text);
      if (earlier !== undefined) {
        return run.fail(place, `must have no two equal items, and ${earlier} and ${position} are`);
      }
      positions.set(text, position);
    }
    return true;
  };
};

const prefixItems: KeywordCompiler = (keyword, _schema, scope) => {
  const nodes = isArray(keyword)
    ? keyword.map((_, position) => scope.subschema('prefixItems', position))
    : [];
  return (value, place, run, seen) => {
    if (!isArray(value)) {
      return true;
    }
    let passes = true;
    for (const [position, node] of nodes.entries()) {
      if (position >= value.length || run.full) {
        break;
      }
      seen?.items.add(position);
      passes = run.apply(node, value[position], below(place, position), null) && passes;
    }
    return passes;
  };
};

const items: KeywordCompiler = (_keyword, schema, scope) => {
  const node = scope.subschema('items');
  const prefix = isArray(schema['prefixItems']) ? schema['prefixItems'].length : 0;
  return (value, place, run, seen) => {
    if (!isArray(value)) {
      return true;
    }
    let passes = true;
    for (let position = prefix; position < value.length && !run.full; position += 1) {
      seen?.items.add(position);
      passes = run.apply(node, value[position], below(place, position), null) && passes;
    }
    return passes;
  };
};

const contains: KeywordCompiler = (_keyword, schema, scope) => {
  const node = scope.subschema('contains');
  const { least, most, message } = containsBounds(schema);
  return (value, place, run, seen) => {
    if (!isArray(value)) {
      return true;
    }
    let matching = 0;
    for (const [position, item] of value.entries()) {
      if (run.probe(node, item, below(place, position), null) === null) {
        matching += 1;
        seen?.items.add(position);
      }
    }
    return (matching >= least && matching <= most) || run.fail(place, `${message}, and ${matching} do`);
  };
};

function containsBounds(schema: JsonObject): { least: number; most: number; message: string } {
  const { minContains, maxContains } = schema;
  const least = typeof minContains === 'number' ? minContains : 1;
  const most = typeof maxContains === 'number' ? maxContains : Infinity;
  const bounds = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  return { least, most, message: `must have ${bounds} items that match \`contains\`` };
}

export const ARRAY_KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ['minItems', sizeKeyword((size, bound) => size >= bound, 'at least')],
  ['maxItems', sizeKeyword((size, bound) => size <= bound, 'at most')],
  ['uniqueItems', uniqueItems],
  ['prefixItems', prefixItems],
  ['items', items],
  ['contains', contains],
];
