/** A contract as the engine has it and as the table keeps it. Claims load this file, and not the check of schemas. */
import { isObject } from '../json-schema/json.ts';
import { contractFields, type ContractSettings, DEFAULT_CONTRACT } from './contract-fields.ts';

export { type ContractSettings, DEFAULT_CONTRACT } from './contract-fields.ts';

/**
 * What to store: the two schemas as JSON texts. As maps they could not be stored at all where they nest more than
 * 32 deep or hold a number over 1e126, both of which a valid schema may.
 */
export function contractToStore(contract: ContractSettings): Record<string, unknown> {
  const { input_schema, output_schema } = contract;
  return { ...contract, input_schema: toText(input_schema), output_schema: toText(output_schema) };
}

function toText(schema: unknown): string | null {
  return schema === null ? null : JSON.stringify(schema);
}

function fromText(stored: unknown): unknown {
  return typeof stored === 'string' ? JSON.parse(stored) : stored;
}

/** Fields that a newer version stored are left out, so that going back to this one does not stop its columns. */
const storedFields = contractFields.strip();

/** One stored object is parsed once, however often a remembered column is met; its schemas stay the same objects. */
const parsed = new WeakMap<object, ContractSettings>();

/**
 * @param stored what `contractToStore` made, as it was read; undefined for a column that was never given one.
 * @throws ZodError for what is no contract.
 */
export function parseStoredContract(stored: unknown): ContractSettings {
  if (!isObject(stored)) {
    return DEFAULT_CONTRACT;
  }
  const known = parsed.get(stored);
  if (known !== undefined) {
    return known;
  }
  const fields = storedFields.parse(stored);
  const { input_schema, output_schema } = fields;
  const contract = {
    ...fields,
    input_schema: fromText(input_schema),
    output_schema: fromText(output_schema),
  };
  parsed.set(stored, contract);
  return contract;
}
