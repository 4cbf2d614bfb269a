import { describe, expect, it } from 'vitest';
import { parseContract } from '../../shared/contract/parse-contract.ts';
import { contractToStore, DEFAULT_CONTRACT, parseStoredContract } from '../../shared/contract/settings.ts';

/** More levels than a map of the table may have, a number beyond its numbers, and a name that is no safe key. */
const input_schema = JSON.parse(
  `${'{"properties":{"a":'.repeat(18)}{"properties":{"__proto__":{"maximum":1e300}}}${'}}'.repeat(18)}`,
);

function contractOf(body: object) {
  const parsed = parseContract(body);
  return parsed.ok ? parsed.contract : DEFAULT_CONTRACT;
}

describe('A stored contract', () => {
  it('is read back as it was put, whatever its schemas', () => {
    const contract = contractOf({ enabled: true, shards: 4, input_schema, output_schema: false });
    expect(contract.enabled).toBe(true);
    expect(parseStoredContract(contractToStore(contract))).toEqual(contract);
    expect(JSON.stringify(parseStoredContract(contractToStore(contract)))).toBe(JSON.stringify(contract));
  });

  it('holds its schemas as text', () => {
    expect(contractToStore(contractOf({ input_schema }))).toMatchObject({
      input_schema: JSON.stringify(input_schema),
      output_schema: null,
    });
  });

  it('that was never given is the default', () => {
    expect(parseStoredContract(undefined)).toEqual(DEFAULT_CONTRACT);
  });

  it('without the fields of a newer version takes their defaults, and one with unknown fields ignores them', () => {
    expect(parseStoredContract({ enabled: true, from_the_future: 1 })).toEqual({
      ...DEFAULT_CONTRACT,
      enabled: true,
    });
  });

  it('is parsed once for one stored object, so that its schemas stay the objects that were compiled', () => {
    const stored = contractToStore(contractOf({ input_schema }));
    expect(parseStoredContract(stored).input_schema).toBe(parseStoredContract(stored).input_schema);
  });

  it('that is none is an error and not a default', () => {
    expect(() => parseStoredContract({ max_attempts: 'many' })).toThrow(/whole number from 1 to 100/u);
  });
});
