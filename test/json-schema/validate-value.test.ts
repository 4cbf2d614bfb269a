import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../shared/json-schema/check-schema.ts';
import { threadCpuMs } from '../../shared/json-schema/cpu-budget.ts';
import { validateValue } from '../../shared/json-schema/validate-value.ts';

function errors(schema: unknown, value: unknown): readonly { path: string; message: string }[] {
  const verdict = validateValue(schema, value);
  return 'errors' in verdict ? verdict.errors : [];
}

/** A clock that has gone on by `step` milliseconds at every look. */
function clock(step: number): () => number {
  let ms = 0;
  return () => (ms += step);
}

function deepList(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

const TOO_EXPENSIVE = { ok: false, tooExpensive: true };

describe('Errors say where and what', () => {
  it.each<[string, unknown, unknown, string, string]>([
    [
      'a wrong type',
      { properties: { a: { type: ['string', 'null'] } } },
      { a: 1 },
      '/a',
      'must be of type string or null',
    ],
    ['a missing property', { required: ['url'] }, {}, '/url', 'is required'],
    [
      'a property missing beside another',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      '/b',
      'is required where "a" is given',
    ],
    [
      'a property too many',
      { properties: {}, additionalProperties: false },
      { a: 1 },
      '/a',
      'is not allowed here',
    ],
    [
      'an unevaluated property',
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      '/b',
      'is not allowed here',
    ],
    ['an item too many', { prefixItems: [true], items: false }, [1, 2], '/1', 'is not allowed here'],
    [
      'an unevaluated item',
      { prefixItems: [true], unevaluatedItems: false },
      [1, 2],
      '/1',
      'is not allowed here',
    ],
    ['no allowed value', { enum: ['a', 1, { b: [] }] }, 'c', '', 'must be one of "a", 1, {"b":[]}'],
    ['not the constant', { const: null }, 0, '', 'must be null'],
    ['a small number', { minimum: 5 }, 4, '', 'must be at least 5'],
    ['a number at an exclusive bound', { exclusiveMaximum: 5 }, 5, '', 'must be less than 5'],
    ['no multiple', { multipleOf: 0.01 }, 19.999, '', 'must be a multiple of 0.01'],
    ['a short text', { minLength: 2 }, '💩', '', 'must have at least 2 characters'],
    ['a text that does not match', { pattern: '^a' }, 'b', '', 'must match the pattern ^a'],
    [
      'a text in no such format',
      { format: 'date-time' },
      '2026-02-30T00:00:00Z',
      '',
      'must be a valid date-time',
    ],
    [
      'equal items',
      { uniqueItems: true },
      [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }],
      '',
      'must have no two equal items, and 0 and 2 are',
    ],
    [
      'few matching items',
      { contains: { type: 'number' }, minContains: 2 },
      [1, 'a'],
      '',
      'must have at least 2 items that match `contains`, and 1 do',
    ],
    [
      'a bad name',
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      '/ab',
      'has a name that is not allowed: it must have at most 1 characters',
    ],
    [
      'no alternative',
      { anyOf: [{ type: 'string' }, { required: ['a'] }] },
      {},
      '',
      'matches none of the alternatives (anyOf): must be of type string; /a is required',
    ],
    [
      'two of exactly one',
      { oneOf: [{ type: 'number' }, { minimum: 0 }] },
      1,
      '',
      'must match exactly one alternative (oneOf), and matches those at 0, 1',
    ],
    ['what must not be', { not: { type: 'null' } }, null, '', 'must not match the schema in `not`'],
    [
      'a condition’s consequence',
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}'),
      { a: 1 },
      '/b',
      'is required',
    ],
    [
      'a place to be escaped',
      { properties: { 'a/b~c': { items: false } } },
      { 'a/b~c': [1] },
      '/a~1b~0c/0',
      'is not allowed here',
    ],
  ])('%s', (_name, schema, value, path, message) => {
    expect(errors(schema, value)).toEqual([{ path, message }]);
  });

  it('all of them together, so that a worker can mend its output in one go', () => {
    const schema = {
      required: ['id'],
      properties: { n: { type: 'integer' }, tags: { items: { maxLength: 2 } } },
    };
    expect(errors(schema, { n: 1.5, tags: ['ok', 'long', 'longer'] }).map(({ path }) => path)).toEqual([
      '/id',
      '/n',
      '/tags/1',
      '/tags/2',
    ]);
  });

  it('and never more than twenty, of bounded length, whatever the value', () => {
    const many = errors(
      { items: { type: 'string' } },
      Array.from({ length: 100_000 }, () => 1),
    );
    expect(many).toHaveLength(20);
    expect(errors({ required: Array.from({ length: 30 }, (_, n) => `p${n}`) }, {})).toHaveLength(20);
    const [long] = errors(
      { additionalProperties: { enum: ['x'.repeat(5_000)] } },
      { ['n'.repeat(50_000)]: 1 },
    );
    expect(long?.path).toBe('');
    expect(long?.message.length).toBe(300);
  });

  it('and never holds for alternatives that were only tried', () => {
    expect(validateValue({ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1)).toEqual({ ok: true });
    expect(validateValue({ not: { items: { type: 'string' } } }, [1])).toEqual({ ok: true });
  });
});

describe('Numbers are compared as people write them:', () => {
  it.each([
    [19.99, 0.01],
    [0.3, 0.1],
    [1e15 + 2, 2],
    [4.35, 0.05],
    [-0.7, 0.1],
    [0, 0.3],
  ])('%d is a multiple of %d', (value, divisor) => {
    expect(validateValue({ multipleOf: divisor }, value)).toEqual({ ok: true });
  });

  it.each([
    [19.995, 0.01],
    [1e15 + 1, 2],
    [0.35, 0.1],
  ])('%d is no multiple of %d', (value, divisor) => {
    expect(validateValue({ multipleOf: divisor }, value).ok).toBe(false);
  });
});

describe('Hostile values', () => {
  it('named like the prototype’s members are properties like others', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"required":["toString","__proto__"],"additionalProperties":false}',
    );
    expect(
      errors(schema, JSON.parse('{"__proto__":1,"constructor":2}'))
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/__proto__', '/constructor', '/toString']);
    expect(validateValue(schema, JSON.parse('{"__proto__":"a","toString":1}')).ok).toBe(false);
    expect(validateValue({ required: ['a'] }, JSON.parse('{"__proto__":{"a":1}}')).ok).toBe(false);
  });

  it('nested at most 64 deep are checked, deeper ones refused without being walked', () => {
    const schema = { items: { $ref: '#' } };
    expect(validateValue(schema, deepList(64))).toEqual({ ok: true });
    expect(errors(schema, deepList(65))).toEqual([
      { path: '', message: 'is nested more than 64 levels deep' },
    ]);
    expect(errors({ uniqueItems: true }, deepList(90_000))).toHaveLength(1);
  });

  it('of 200 KB, with every kind of repetition, are checked in far less than the budget', () => {
    const numbers = Array.from({ length: 100_000 }, (_, n) => n % 10);
    const objects = Array.from({ length: 3_000 }, (_, n) => ({ id: n, name: 'the same for all of these' }));
    const before = threadCpuMs();
    expect(validateValue({ items: { type: 'integer', minimum: 0 } }, numbers)).toEqual({ ok: true });
    expect(validateValue({ uniqueItems: true }, objects)).toEqual({ ok: true });
    expect(errors({ pattern: '^(a|a)*$' }, `${'a'.repeat(200_000)}!`)).toHaveLength(1);
    expect(errors({ pattern: String.raw`^(\w+\s?)+$` }, `${'a '.repeat(100_000)}!`)).toHaveLength(1);
    expect(threadCpuMs() - before).toBeLessThan(1_000);
  });

  it('cannot be used to build an error larger than an item', () => {
    const value = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}${'k'.repeat(6_000)}`, 'v']));
    expect(JSON.stringify(errors({ additionalProperties: { type: 'number' } }, value)).length).toBeLessThan(
      20_000,
    );
  });
});

describe('A check that costs too much is stopped', () => {
  const twice = { properties: { n: { anyOf: [{ $ref: '#' }, { allOf: [{ $ref: '#' }] }] } }, type: 'object' };
  const chain = JSON.parse(`${'{"n":'.repeat(60)}0${'}'.repeat(60)}`);

  it('when alternatives double at every level of the value, within the budget', () => {
    const before = threadCpuMs();
    expect(validateValue(twice, chain)).toEqual(TOO_EXPENSIVE);
    expect(threadCpuMs() - before).toBeLessThan(600);
  });

  it('when the clock passes 250 ms, and not at 250 ms', () => {
    const value = Array.from({ length: 6_000 }, () => 1);
    const schema = { items: { type: 'number' } };
    expect(validateValue(schema, value, clock(250))).toEqual({ ok: true });
    expect(validateValue(schema, value, clock(251))).toEqual(TOO_EXPENSIVE);
  });

  it('and a small one is not, though the clock leaps', () => {
    expect(validateValue({ type: 'string' }, 'a', clock(10_000))).toEqual({ ok: true });
  });

  it.each<[string, unknown, unknown]>([
    ['a large pattern on a large text', { pattern: 'a{0,2000}b' }, 'a'.repeat(100_000)],
    [
      'many alternatives on a large value',
      { anyOf: Array.from({ length: 199 }, (_, n) => ({ const: [n] })) },
      Array.from({ length: 60_000 }, () => 1),
    ],
    [
      'many references on a long text',
      {
        $ref: '#/$defs/a',
        $defs: {
          a: { allOf: Array.from({ length: 40 }, () => ({ $ref: '#/$defs/b' })) },
          b: { allOf: Array.from({ length: 45 }, () => ({ $ref: '#/$defs/c' })) },
          c: { maxLength: 200_000 },
        },
      },
      'a'.repeat(200_000),
    ],
    [
      'a pattern of many classes',
      {
        pattern: `^(?:${Array.from({ length: 800 }, (_, n) => String.raw`[\p{L}${String.fromCodePoint(0x4e00 + n)}]`).join('|')})*$`,
      },
      '字'.repeat(60_000),
    ],
  ])('%s', (_name, schema, value) => {
    const before = threadCpuMs();
    expect(validateValue(schema, value)).toEqual(TOO_EXPENSIVE);
    expect(threadCpuMs() - before).toBeLessThan(900);
  });

  it('when subschemas apply inside one another beyond what the stack holds', () => {
    const definitions = Array.from({ length: 60 }, (_, n) => [
      `d${n}`,
      { oneOf: [{ $ref: `#/$defs/d${n + 1}` }], unevaluatedProperties: true },
    ]);
    const schema = {
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries([...definitions, ['d60', { properties: { n: { $ref: '#/$defs/d0' } } }]]),
    };
    expect(checkSchema(schema)).toEqual([]);
    expect(validateValue(schema, { n: { n: 1 } })).toEqual({ ok: true });
    expect(validateValue(schema, chain)).toEqual(TOO_EXPENSIVE);
  });

  it('and the next check has a budget of its own', () => {
    expect(validateValue(twice, chain)).toEqual(TOO_EXPENSIVE);
    expect(validateValue(twice, { n: { n: {} } })).toEqual({ ok: true });
  });
});

describe('Compiled schemas are remembered', () => {
  it('by what they say: equal ones agree, different ones are kept apart, forgotten ones are compiled again', () => {
    const schemaOf = (n: number): unknown => ({ const: n });
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 100; n += 1) {
        expect(validateValue(schemaOf(n), n).ok).toBe(true);
        expect(validateValue(schemaOf(n), n + 1).ok).toBe(false);
      }
    }
  });
});

describe('A stored schema that has become unusable', () => {
  it.each<[string, unknown]>([
    ['refers to nothing', { $ref: '#/$defs/gone' }],
    ['refers to elsewhere', { $ref: '/it', $defs: { a: { $anchor: 'it' } } }],
    ['has a pattern that is refused', { pattern: '(?=a)' }],
    [
      'has more subschemas than are compiled',
      { allOf: Array.from({ length: 300 }, () => ({ type: 'string' })) },
    ],
  ])('and %s is told as an error of the value, and never thrown into a claim', (_name, schema) => {
    expect(errors(schema, 'a')).toEqual([
      { path: '', message: expect.stringMatching(/schema is unusable/u) },
    ]);
  });
});
