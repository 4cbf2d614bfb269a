/** A contract as the text of a form, and back. Pure. */
import type { Contract, ContractInput } from '../../../client/types.ts';

export interface ContractValues {
  readonly enabled: boolean;
  readonly lease_ttl_seconds: string;
  readonly max_attempts: string;
  readonly backoff_seconds: string;
  readonly backoff_jitter: string;
  readonly max_runtime_seconds: string;
  readonly concurrency_limit: string;
  readonly max_per_assignee: string;
  readonly on_success_column_id: string;
  readonly on_failure_column_id: string;
  readonly exclude_previous_holder: boolean;
  readonly block_recurrence_limit: string;
  readonly changes_reserved_seconds: string;
  readonly aging_seconds: string;
  readonly input_schema: string;
  readonly output_schema: string;
}

const orEmpty = (value: number | string | null): string => (value === null ? '' : String(value));
const schemaText = (schema: unknown): string => (schema === null ? '' : JSON.stringify(schema, null, 2));

export function valuesOfContract(contract: Contract): ContractValues {
  return {
    enabled: contract.enabled,
    lease_ttl_seconds: String(contract.lease_ttl_seconds),
    max_attempts: String(contract.max_attempts),
    backoff_seconds: contract.backoff_seconds.join(', '),
    backoff_jitter: String(contract.backoff_jitter),
    max_runtime_seconds: orEmpty(contract.max_runtime_seconds),
    concurrency_limit: orEmpty(contract.concurrency_limit),
    max_per_assignee: orEmpty(contract.max_per_assignee),
    on_success_column_id: orEmpty(contract.on_success_column_id),
    on_failure_column_id: orEmpty(contract.on_failure_column_id),
    exclude_previous_holder: contract.exclude_previous_holder,
    block_recurrence_limit: String(contract.block_recurrence_limit),
    changes_reserved_seconds: String(contract.changes_reserved_seconds),
    aging_seconds: orEmpty(contract.aging_seconds),
    input_schema: schemaText(contract.input_schema),
    output_schema: schemaText(contract.output_schema),
  };
}

/**
 * The whole contract, since a PUT replaces all; what the form does not show stays as it was.
 *
 * @throws Error naming the schema that is no JSON.
 */
export function contractOf(before: Contract, values: ContractValues): ContractInput {
  const number = (text: string): number | null => (text.trim() === '' ? null : Number(text));
  const id = (text: string): string | null => (text === '' ? null : text);
  return {
    ...before,
    enabled: values.enabled,
    lease_ttl_seconds: Number(values.lease_ttl_seconds),
    max_attempts: Number(values.max_attempts),
    backoff_seconds: values.backoff_seconds.split(',').map((part) => Number(part.trim())),
    backoff_jitter: Number(values.backoff_jitter),
    max_runtime_seconds: number(values.max_runtime_seconds),
    concurrency_limit: number(values.concurrency_limit),
    max_per_assignee: number(values.max_per_assignee),
    on_success_column_id: id(values.on_success_column_id),
    on_failure_column_id: id(values.on_failure_column_id),
    exclude_previous_holder: values.exclude_previous_holder,
    block_recurrence_limit: Number(values.block_recurrence_limit),
    changes_reserved_seconds: Number(values.changes_reserved_seconds),
    aging_seconds: number(values.aging_seconds),
    input_schema: schemaOf('Input schema', values.input_schema),
    output_schema: schemaOf('Output schema', values.output_schema),
  };
}

function schemaOf(name: string, text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is no JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
