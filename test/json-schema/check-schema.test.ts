import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../shared/json-schema/check-schema.ts';
import { validateValue } from '../../shared/json-schema/validate-value.ts';

const OK: readonly unknown[] = [];

function nested(levels: number): unknown {
  let schema: unknown = {};
  for (let level = 1; level < levels; level += 1) {
    schema = { properties: { a: schema } };
  }
  return schema;
}

function ofBytes(bytes: number): unknown {
  const empty = { description: '' };
  return { description: 'x'.repeat(bytes - JSON.stringify(empty).length) };
}

/** `uses` properties that each refer to a definition that refers on `each - 1` times: `uses * each` when expanded. */
function expanding(uses: number, each: number): unknown {
  const properties = Object.fromEntries(
    Array.from({ length: uses }, (_, n) => [`p${n}`, { $ref: '#/$defs/d' }]),
  );
  const prefixItems = Array.from({ length: each - 1 }, () => ({ $ref: '#/$defs/leaf' }));
  return { properties, $defs: { d: { prefixItems }, leaf: {} } };
}

/** Each definition is the next one twice: 60 of them are 2^60. */
function bomb(levels: number): unknown {
  const next = (n: number): unknown => ({ $ref: `#/$defs/d${n + 1}` });
  const definitions = Array.from({ length: levels }, (_, n) => [`d${n}`, { allOf: [next(n), next(n)] }]);
  return {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries([...definitions, [`d${levels}`, { type: 'string' }]]),
  };
}

describe('A schema is accepted', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['empty', {}],
    ['with its dialect named', { $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    [
      'with an id at the root, as generators write it',
      { $id: 'https://example.com/s', $ref: '#/$defs/a', $defs: { a: {} } },
    ],
    ['that refers to itself by going down', { properties: { next: { $ref: '#' } } }],
    ['with an anchor', { $ref: '#it', $defs: { a: { $anchor: 'it' } } }],
    ['with escaped and encoded pointers', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': {} } }],
    [
      'with an annotation of its author',
      { 'x-order': 3, title: 't', description: 'd', $comment: 'c', examples: [1], default: {} },
    ],
    [
      'whose properties are named like keywords and prototypes',
      JSON.parse('{"properties":{"$ref":{"type":"string"},"__proto__":{},"requird":{}}}'),
    ],
    [
      'whose constants look like schemas',
      { const: { $ref: 'https://example.com', requird: 1 }, enum: [{ $dynamicRef: '#x' }] },
    ],
  ])('%s', (_name, schema) => {
    expect(checkSchema(schema)).toEqual(OK);
  });
});

describe('A schema is refused with the place of the fault', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['no schema at all', 5, '', /must be a JSON Schema/u],
    ['null', null, '', /must be a JSON Schema/u],
    ['a list', [], '', /must be a JSON Schema/u],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema', /2020-12/u],
    ['a mistyped keyword', { requird: ['a'] }, '/requird', /did you mean required/u],
    [
      'a keyword in another case',
      { properties: { a: { minlength: 1 } } },
      '/properties/a/minlength',
      /did you mean minLength/u,
    ],
    ['a letter swapped', { tpye: 'string' }, '/tpye', /did you mean type/u],
    ['a letter changed', { maxltems: 1 }, '/maxltems', /did you mean maxItems/u],
    ['an annotation that does not begin with x-', { xorder: 1 }, '/xorder', /begin with x-/u],
    ['a keyword named like a prototype’s member', { constructor: {} }, '/constructor', /no keyword/u],
    ['a keyword of an older draft', { dependencies: {} }, '/dependencies', /dependentRequired/u],
    ['a keyword of another dialect', { nullable: true }, '/nullable', /list of types/u],
    ['an unknown type', { type: 'strin' }, '/type', /must be one or a list of/u],
    ['an empty list of types', { type: [] }, '/type', /must be one or a list of/u],
    ['a format that is not checked', { format: 'dat-time' }, '/format', /date-time/u],
    ['items as a list', { items: [{}] }, '/items', /prefixItems/u],
    ['a number for a schema', { not: 5 }, '/not', /must be a schema/u],
    ['null for a property’s schema', { properties: { a: null } }, '/properties/a', /must be a schema/u],
    ['properties as a list', { properties: [] }, '/properties', /object of schemas/u],
    ['an empty anyOf', { anyOf: [] }, '/anyOf', /at least one schema/u],
    ['an empty enum', { enum: [] }, '/enum', /at least one value/u],
    ['a name required twice', { required: ['a', 'a'] }, '/required', /different names/u],
    ['required as a flag', { required: true }, '/required', /different names/u],
    ['a negative length', { minLength: -1 }, '/minLength', /not negative/u],
    ['a multiple of zero', { multipleOf: 0 }, '/multipleOf', /above 0/u],
    [
      'a limit from the value ($data)',
      { properties: { a: { maximum: { $data: '1/b' } } } },
      '/properties/a/maximum',
      /must be a number/u,
    ],
    ['a pattern from the value ($data)', { pattern: { $data: '/regex' } }, '/pattern', /must be a string/u],
    ['$data as a keyword', { $data: '#/a' }, '/$data', /not supported/u],
    ['a reference to another host', { $ref: 'https://example.com/s' }, '/$ref', /nothing is fetched/u],
    [
      'a reference to a metadata address',
      { $ref: 'http://169.254.169.254/latest' },
      '/$ref',
      /nothing is fetched/u,
    ],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }, '/$ref', /nothing is fetched/u],
    ['a relative reference', { $ref: 'other.json#/a' }, '/$ref', /nothing is fetched/u],
    [
      'a reference by its own id',
      { $id: 'https://e.com/s', $ref: 'https://e.com/s#/$defs/a', $defs: { a: {} } },
      '/$ref',
      /nothing is fetched/u,
    ],
    ['a reference to nothing', { $ref: '#/$defs/a' }, '/$ref', /does not point at/u],
    ['a reference to an unknown anchor', { $ref: '#a' }, '/$ref', /does not point at/u],
    ['a reference that cannot be decoded', { $ref: '#/%E0%A4%A' }, '/$ref', /does not point at/u],
    ['a reference to what is no schema', { $ref: '#/const', const: {} }, '/$ref', /does not point at/u],
    ['a reference up the prototype', { $ref: '#/__proto__' }, '/$ref', /does not point at/u],
    ['an id below the root', { $defs: { a: { $id: 'x' } } }, '/$defs/a/$id', /root only/u],
    [
      'an anchor used twice',
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      '/$defs/b/$anchor',
      /used twice/u,
    ],
    ['a dynamic reference', { $dynamicRef: '#a' }, '/$dynamicRef', /use \$ref/u],
    ['a dynamic anchor', { $dynamicAnchor: 'a' }, '/$dynamicAnchor', /use \$anchor/u],
    ['a recursive reference', { $recursiveRef: '#' }, '/$recursiveRef', /use \$ref/u],
    ['look-ahead', { properties: { url: { pattern: '(?=a)' } } }, '/properties/url/pattern', /look-ahead/u],
    [
      'look-behind in a property’s pattern',
      { patternProperties: { '(?<!a)b': {} } },
      '/patternProperties/(?<!a)b',
      /look-behind/u,
    ],
    ['a back-reference', { items: { pattern: String.raw`(a)\1` } }, '/items/pattern', /back-references/u],
    ['a pattern that is malformed', { pattern: '(' }, '/pattern', /Unterminated group/u],
    ['a pattern that is a million states', { pattern: '(a{1000}){1000}' }, '/pattern', /too large/u],
    ['a reference to itself', { $ref: '#' }, '', /never end/u],
    [
      'two references to each other',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      '/$defs/a',
      /never end/u,
    ],
    ['a circle through allOf', { allOf: [{ $ref: '#' }] }, '', /never end/u],
    [
      'a circle through if',
      { $defs: { a: { if: { not: { $ref: '#/$defs/a' } } } } },
      '/$defs/a',
      /never end/u,
    ],
    [
      'a circle through dependentSchemas',
      { dependentSchemas: { a: { anyOf: [{ $ref: '#' }] } } },
      '',
      /never end/u,
    ],
    ['a bomb of references', bomb(60), '', /more than 2000 references/u],
    [
      'a bomb that a recursion hides',
      {
        properties: { next: { $ref: '#' }, b: bomb(0) },
        anyOf: [{ $ref: '#/$defs/d0' }],
        ...Object(bomb(30)),
      },
      '',
      /more than 2000 references/u,
    ],
    [
      'JSON nested beyond any stack',
      { default: JSON.parse('['.repeat(30_000) + ']'.repeat(30_000)) },
      '',
      /more than 64 levels/u,
    ],
  ])('%s', (_name, schema, path, message) => {
    expect(checkSchema(schema)).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it('and all faults at once, at most twenty', () => {
    const faults = checkSchema({ type: 'x', requird: 1, properties: { a: { pattern: '(' } } });
    expect(faults.map(({ path }) => path)).toEqual(['/type', '/requird', '/properties/a/pattern']);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`wrong${n}`, 1]));
    expect(checkSchema(many)).toHaveLength(20);
  });
});

describe('A schema at a limit is accepted, and one beyond refused:', () => {
  it.each<[string, unknown, unknown, RegExp]>([
    ['65,536 bytes', ofBytes(65_536), ofBytes(65_537), /65537 bytes/u],
    ['20 levels', nested(20), nested(21), /more than 20 schemas deep/u],
    [
      '200 subschemas',
      { prefixItems: Array.from({ length: 200 }, () => true) },
      { prefixItems: Array.from({ length: 201 }, () => true) },
      /more than 200 subschemas/u,
    ],
    [
      '2,000 expanded references',
      expanding(40, 50),
      { allOf: [{ $ref: '#/$defs/leaf' }], ...Object(expanding(40, 50)) },
      /more than 2000 references/u,
    ],
    [
      '64 levels of JSON',
      { const: JSON.parse('['.repeat(63) + ']'.repeat(63)) },
      { const: JSON.parse('['.repeat(64) + ']'.repeat(64)) },
      /more than 64 levels/u,
    ],
  ])('%s', (_limit, at, beyond, message) => {
    expect(checkSchema(at)).toEqual(OK);
    expect(checkSchema(beyond)).toEqual([
      { path: expect.any(String), message: expect.stringMatching(message) },
    ]);
  });

  it('bytes are those of UTF-8', () => {
    expect(checkSchema({ description: '€'.repeat(21_850) })).toEqual([
      { path: '', message: expect.stringMatching(/bytes/u) },
    ]);
  });

  it('and thousands of subschemas under one long name are refused without writing out their pointers', () => {
    const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`p${n}`, 1]));
    expect(checkSchema({ properties: { ['x'.repeat(20_000)]: { properties: many } } })).toEqual([
      { path: '', message: 'has more than 200 subschemas' },
    ]);
  });
});

describe('Whatever it is given', () => {
  const keyword = fc.constantFrom(
    'type',
    '$ref',
    'properties',
    'items',
    'allOf',
    'not',
    'pattern',
    'enum',
    'required',
    'format',
    '$defs',
    'if',
    'uniqueItems',
    'minimum',
    'unevaluatedProperties',
    'contains',
    'x-a',
  );
  const plain = fc.oneof(
    fc.constantFrom('string', '#', '#/$defs/a', '^a+$', 'uri', '(', 1, true, null),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const schema = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.boolean(),
      fc.dictionary(
        keyword,
        fc.oneof(
          plain,
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 2 }),
          fc.dictionary(fc.constantFrom('a', '__proto__', '^b'), tie('schema'), { maxKeys: 2 }),
        ),
        { maxKeys: 3 },
      ),
    ),
  })).schema;

  it('the check answers, and what it accepts can be used', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(schema, fc.jsonValue()), fc.jsonValue(), (candidate, value) => {
        if (checkSchema(candidate).length === 0) {
          accepted += 1;
          const verdict = validateValue(candidate, value);
          expect(JSON.stringify(verdict)).not.toMatch(/unusable/u);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });
});
