/**
 * The validator against the official JSON-Schema-Test-Suite, draft 2020-12 (commit 44401e0, MIT, licence beside it).
 *
 * `official-suite.jsonl` has the required groups, and of the optional ones the regular expressions and the formats
 * that are checked here. Left out as a whole: what is refused by design (dynamic and remote references,
 * vocabularies) and `format.json`, which says that formats are not checked.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../shared/json-schema/check-schema.ts';
import { validateValue } from '../../shared/json-schema/validate-value.ts';

interface Group {
  readonly file: string;
  readonly group: string;
  readonly schema: unknown;
  /** Description, value, whether the value is valid. */
  readonly tests: readonly (readonly [string, unknown, boolean])[];
}

const text = readFileSync(new URL('official-suite.jsonl', import.meta.url), 'utf8');
const groups: readonly Group[] = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const refusedGroups = groups.filter(({ schema }) => checkSchema(schema).length > 0);
const usedGroups = groups.filter(({ schema }) => checkSchema(schema).length === 0);

/** Where the verdict differs on purpose: rare addresses are refused, and Punycode is not decoded. */
const DIFFERENCES: Readonly<Record<string, RegExp>> = {
  'optional/format/email': /quoted string|address-literal/u,
  'optional/format/hostname':
    /U\+302E|^Begins with|DISALLOWED|MIDDLE DOT|KERAIA|GERESH|GERSHAYIM|Arabic-Indic|JOINER|"--" in|Punycode/u,
};

function isKnownDifference(file: string, description: string): boolean {
  return DIFFERENCES[file]?.test(description) === true;
}

describe('The official test suite', () => {
  it('is refused only where it needs references out of the schema, other bases, or an empty enum', () => {
    const reasons = refusedGroups.flatMap(({ schema }) => checkSchema(schema).map(({ message }) => message));
    const byDesign =
      /^must point into this schema|^is allowed at the root only|^must be a list of at least one value|^is not supported: use \$anchor|^is not supported: only plain references|^does not point at a subschema|^is used twice/u;
    expect(reasons.filter((reason) => !byDesign.test(reason))).toEqual([]);
    expect(refusedGroups.length).toBe(23);
  });

  it('is agreed with in every test that is not a known difference', () => {
    const tests = usedGroups.flatMap(({ file, group, schema, tests }) =>
      tests.map(([description, value, valid]) => ({ file, group, description, schema, value, valid })),
    );
    const wrong = tests.filter(
      ({ file, description, schema, value, valid }) =>
        !isKnownDifference(file, description) && validateValue(schema, value).ok !== valid,
    );
    expect(wrong).toEqual([]);
    expect(tests.length).toBe(1_654);
  });
});
