/** Reads the body of a PUT of a contract: every field, default, bound and schema, each fault with its place. */
import type * as z from 'zod';
import { checkSchema } from '../json-schema/check-schema.ts';
import { isObject, pointerStep } from '../json-schema/json.ts';
import { contractFields, type ContractSettings } from './contract-fields.ts';

/** What is wrong with a contract and where: `path` is a JSON pointer into the body. */
export interface ContractFault {
  readonly path: string;
  readonly message: string;
}

export type ParsedContract =
  | { readonly ok: true; readonly contract: ContractSettings }
  | { readonly ok: false; readonly errors: readonly ContractFault[] };

/**
 * @param body JSON, as it was sent. What is left out takes its default; unknown fields are refused by name.
 * @returns the whole contract, or every fault. That its columns exist is for `checkTargets` to say.
 */
export function parseContract(body: unknown): ParsedContract {
  const parsed = contractFields.safeParse(body, {
    error: () => 'must be an object with the fields of a contract',
  });
  const fieldFaults = parsed.success ? [] : parsed.error.issues.flatMap(faultsOf);
  const errors = [
    ...fieldFaults,
    ...schemaFaults(body, 'input_schema'),
    ...schemaFaults(body, 'output_schema'),
  ];
  return parsed.success && errors.length === 0 ? { ok: true, contract: parsed.data } : { ok: false, errors };
}

function faultsOf(issue: z.core.$ZodIssue): ContractFault[] {
  const path = issue.path.map((step) => pointerStep(String(step))).join('');
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        path: `${path}${pointerStep(key)}`,
        message: 'is not a field of a contract',
      }))
    : [{ path, message: issue.message }];
}

function schemaFaults(body: unknown, field: 'input_schema' | 'output_schema'): ContractFault[] {
  const schema = isObject(body) ? (body[field] ?? null) : null;
  const faults = schema === null ? [] : checkSchema(schema);
  return faults.map(({ path, message }) => ({ path: `${pointerStep(field)}${path}`, message }));
}
