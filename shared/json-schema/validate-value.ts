/**
 * Checks a value against a column's schema, within bounds: `properties` against `input_schema`, a run's output
 * against `output_schema`. This is the part that claims and completions load; `check-schema.ts` is for PUT.
 */
import { createHash } from 'node:crypto';
import { type CompiledSchema, compileSchema, UnusableSchema } from './compile.ts';
import { CpuBudget, threadCpuMs, TooExpensive } from './cpu-budget.ts';
import { Run, type SchemaError } from './evaluate.ts';
import { nestsDeeperThan } from './json.ts';
import { COMPILED_SCHEMAS_KEPT, MAX_JSON_DEPTH } from './limits.ts';

export type { SchemaError } from './evaluate.ts';

export type ValueVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly errors: readonly SchemaError[] }
  /** The bound on CPU or nesting was reached: 422 `schema_too_expensive`. */
  | { readonly ok: false; readonly tooExpensive: true };

/** Outlives a request: contracts come as new objects every few seconds, their schemas are mostly the same. */
const compiledByHash = new Map<string, CompiledSchema>();
const compiledByIdentity = new WeakMap<object, CompiledSchema>();

/**
 * @param schema one that `checkSchema` has accepted; it must not be changed afterwards. What has become unusable
 *   since is told as an error of the value, so that one bad contract never throws inside a claim.
 * @param value JSON. Its size is the caller's to bound (64 KB of properties, 200 KB of output).
 * @param cpuMs the clock, in milliseconds of this thread's CPU.
 * @returns up to 20 errors, with JSON pointers into the value.
 */
export function validateValue(
  schema: unknown,
  value: unknown,
  cpuMs: () => number = threadCpuMs,
): ValueVerdict {
  if (nestsDeeperThan(value, MAX_JSON_DEPTH)) {
    return {
      ok: false,
      errors: [{ path: '', message: `is nested more than ${MAX_JSON_DEPTH} levels deep` }],
    };
  }
  try {
    const budget = new CpuBudget(cpuMs);
    const compiled = compiledOf(schema);
    const run = new Run(budget, compiled.tracksSeen);
    return run.apply(compiled.root, value, null, null) ? { ok: true } : { ok: false, errors: run.errors };
  } catch (error) {
    if (error instanceof TooExpensive) {
      return { ok: false, tooExpensive: true };
    }
    if (error instanceof UnusableSchema) {
      return {
        ok: false,
        errors: [{ path: '', message: `cannot be checked, the schema is unusable: ${error.message}` }],
      };
    }
    throw error;
  }
}

function compiledOf(schema: unknown): CompiledSchema {
  if (typeof schema !== 'object' || schema === null) {
    return compileSchema(schema);
  }
  const known = compiledByIdentity.get(schema);
  if (known !== undefined) {
    return known;
  }
  const hash = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
  const compiled = compiledByHash.get(hash) ?? compileSchema(schema);
  compiledByIdentity.set(schema, compiled);
  keep(hash, compiled);
  return compiled;
}

/** A Map keeps the order of insertion, so the first key is the one that has not been used for longest. */
function keep(hash: string, compiled: CompiledSchema): void {
  compiledByHash.delete(hash);
  compiledByHash.set(hash, compiled);
  const [oldest] = compiledByHash.keys();
  if (compiledByHash.size > COMPILED_SCHEMAS_KEPT && oldest !== undefined) {
    compiledByHash.delete(oldest);
  }
}
