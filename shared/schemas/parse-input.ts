/** Holds what a request says against a schema; every fault is named with its place, as a JSON pointer. */
import type * as z from 'zod';
import { problem, type FieldFault } from '../errors.ts';
import { pointerStep } from '../json-schema/json.ts';
import { wordingOf } from './wording.ts';

/** More would hide the first, and an answer must not grow with the worst of requests. */
const FAULTS_SHOWN = 20;
const NAME_SHOWN = 100;

/**
 * @param schema undefined takes nothing: the value is passed over.
 * @throws Problem `validation_failed` with every fault; a field that the schema does not know is one.
 */
export function parseInput<T>(schema: z.ZodType<T> | undefined, value: unknown): T | undefined {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { error: wordingOf });
  if (parsed.success) return parsed.data;
  throw refusedInput(parsed.error.issues.flatMap((issue) => faultsOf(issue, [])));
}

/** The refusal for faults found in a request. */
export function refusedInput(faults: readonly FieldFault[]) {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see errors)` : '';
  const where = first === undefined || first.path === '' ? 'The request' : `'${first.path}'`;
  return problem('validation_failed', `${where}: ${first?.message ?? 'does not fit its schema'}${more}`, {
    errors: faults.slice(0, FAULTS_SHOWN),
  });
}

/** A JSON pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => pointerStep(shown(String(step)))).join('');
}

/** A name from outside, as an answer repeats it: cut, and fit to be written as UTF-8. */
const shown = (name: string): string => name.slice(0, NAME_SHOWN).toWellFormed();

function faultsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): FieldFault[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pointer([...path, key]),
      message: `unknown field '${shown(key)}': remove it, or correct its name`,
    }));
  }
  if (issue.code === 'invalid_union') return nearestBranch(issue, path);
  return [{ path: pointer(path), message: issue.message }];
}

/** Of a union's branches the one that fits best is what the caller meant. */
function nearestBranch(issue: z.core.$ZodIssueInvalidUnion, path: readonly PropertyKey[]): FieldFault[] {
  const [nearest] = issue.errors.filter((branch) => branch.length > 0).sort((a, b) => a.length - b.length);
  if (nearest === undefined) return [{ path: pointer(path), message: issue.message }];
  return nearest.flatMap((inner) => faultsOf(inner, path));
}
