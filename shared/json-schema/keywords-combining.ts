/** Keywords that apply other schemas to the same value: references, combinations and conditions. */
import type { Place, Run, SchemaError, SchemaNode, Seen } from './evaluate.ts';
import { isArray, isObject } from './json.ts';
import type { KeywordCompiler } from './keyword-compiler.ts';

const reference: KeywordCompiler = (keyword, _schema, scope) => {
  if (typeof keyword !== 'string') {
    return null;
  }
  const node = scope.reference(keyword);
  return (value, place, run, seen) => run.apply(node, value, place, seen);
};

const allOf: KeywordCompiler = (keyword, _schema, scope) => {
  const nodes = isArray(keyword) ? keyword.map((_, position) => scope.subschema('allOf', position)) : [];
  return (value, place, run, seen) => {
    let passes = true;
    for (const node of nodes) {
      passes = !run.full && run.apply(node, value, place, seen) && passes;
    }
    return passes;
  };
};

/** Why each alternative failed, at most this many, in the one error that stands for them all. */
const REASONS_SHOWN = 5;

function listReasons(failures: readonly SchemaError[]): string {
  const shown = failures.slice(0, REASONS_SHOWN).map(({ path, message }) => `${path} ${message}`.trim());
  return `${shown.join('; ')}${failures.length > REASONS_SHOWN ? '; ...' : ''}`;
}

/** Tries every alternative, also after one that passed: each that passes may have seen other properties. */
function tryAll(nodes: readonly SchemaNode[], value: unknown, place: Place, run: Run, seen: Seen | null) {
  const failures: SchemaError[] = [];
  const passed: number[] = [];
  for (const [position, node] of nodes.entries()) {
    const failure = run.probe(node, value, place, seen);
    if (failure === null) {
      passed.push(position);
    } else {
      failures.push(failure);
    }
  }
  return { failures, passed };
}

const anyOf: KeywordCompiler = (keyword, _schema, scope) => {
  const nodes = isArray(keyword) ? keyword.map((_, position) => scope.subschema('anyOf', position)) : [];
  return (value, place, run, seen) => {
    const { failures, passed } = tryAll(nodes, value, place, run, seen);
    return (
      passed.length > 0 ||
      run.fail(place, `matches none of the alternatives (anyOf): ${listReasons(failures)}`)
    );
  };
};

const oneOf: KeywordCompiler = (keyword, _schema, scope) => {
  const nodes = isArray(keyword) ? keyword.map((_, position) => scope.subschema('oneOf', position)) : [];
  return (value, place, run, seen) => {
    const { failures, passed } = tryAll(nodes, value, place, run, seen);
    if (passed.length > 1) {
      return run.fail(
        place,
        `must match exactly one alternative (oneOf), and matches those at ${passed.join(', ')}`,
      );
    }
    return (
      passed.length === 1 ||
      run.fail(place, `matches none of the alternatives (oneOf): ${listReasons(failures)}`)
    );
  };
};

const not: KeywordCompiler = (_keyword, _schema, scope) => {
  const node = scope.subschema('not');
  return (value, place, run) =>
    run.probe(node, value, place, null) !== null || run.fail(place, 'must not match the schema in `not`');
};

const conditional: KeywordCompiler = (_keyword, schema, scope) => {
  const condition = scope.subschema('if');
  const then = Object.hasOwn(schema, 'then') ? scope.subschema('then') : null;
  const otherwise = Object.hasOwn(schema, 'else') ? scope.subschema('else') : null;
  return (value, place, run, seen) => {
    const chosen = run.probe(condition, value, place, seen) === null ? then : otherwise;
    return chosen === null || run.apply(chosen, value, place, seen);
  };
};

const dependentSchemas: KeywordCompiler = (keyword, _schema, scope) => {
  const names = isObject(keyword) ? Object.keys(keyword) : [];
  const nodes = names.map((name) => [name, scope.subschema('dependentSchemas', name)] as const);
  return (value, place, run, seen) => {
    if (!isObject(value)) {
      return true;
    }
    let passes = true;
    for (const [name, node] of nodes) {
      if (Object.hasOwn(value, name) && !run.full) {
        passes = run.apply(node, value, place, seen) && passes;
      }
    }
    return passes;
  };
};

export const COMBINING_KEYWORDS: readonly (readonly [string, KeywordCompiler])[] = [
  ['$ref', reference],
  ['allOf', allOf],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['not', not],
  ['if', conditional],
  ['dependentSchemas', dependentSchemas],
];
