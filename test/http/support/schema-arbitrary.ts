/** Values that a JSON Schema of the OpenAPI document allows, as whoever has nothing but the document would make them. */
import * as fc from 'fast-check';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Schemas by name, and values for fields whose names say more than their schemas. */
export interface Source {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly named: (field: string) => fc.Arbitrary<unknown> | null;
}

/** Longer values are for the tests of limits. */
const SHORT = 12;
const FEW = 3;

export function arbitraryOf(schema: JsonSchema, source: Source): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return arbitraryOf(referred($ref, source), source);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, source)));
  if (allOf !== undefined) return arbitraryOf(Object.assign({}, ...allOf) as JsonSchema, source);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => ofType(type, schema, source)));
}

function referred(ref: string, { schemas }: Source): JsonSchema {
  const found = schemas[ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`The document refers to ${ref} and does not have it`);
  return found;
}

function ofType(type: string, schema: JsonSchema, source: Source): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true }).map((value) => Math.round(value * 1000) / 1000);
    case 'string':
      return stringOf(schema);
    case 'array':
      return arrayOf(schema, source);
    case 'object':
      return objectOf(schema, source);
    default:
      throw new Error(`No values are known for the type ${type}`);
  }
}

function rangeOf({ minimum = -1_000, maximum = 1_000 }: JsonSchema): { min: number; max: number } {
  return { min: minimum, max: Math.max(minimum, Math.min(maximum, 1_000_000)) };
}

function stringOf({ pattern, format, minLength = 0, maxLength = SHORT }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const min = new Date('2026-01-01T00:00:00Z');
    return fc
      .date({ min, max: new Date('2027-01-01T00:00:00Z'), noInvalidDate: true })
      .map((at) => at.toISOString());
  }
  if (pattern !== undefined) return matching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, SHORT)) });
}

function matching(pattern: RegExp): fc.Arbitrary<string> {
  // fast-check makes no texts for these.
  const looksAround = /\(\?[=!<]/.test(pattern.source);
  return looksAround
    ? fc.stringMatching(/^[a-z0-9]{1,8}$/).filter((text) => pattern.test(text))
    : fc.stringMatching(pattern);
}

function arrayOf(schema: JsonSchema, source: Source): fc.Arbitrary<unknown> {
  const { items = {}, minItems = 0, maxItems = FEW } = schema;
  const size = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, FEW)) };
  return fc.uniqueArray(arbitraryOf(items, source), { ...size, selector: (item) => JSON.stringify(item) });
}

function objectOf({ properties = {}, required = [] }: JsonSchema, source: Source): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, source.named(name) ?? arbitraryOf(schema, source)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] }).map(oneOfEach);
}

/** Fields of which a request has one at a time: the document says so in words only. */
const EXCLUSIVE = [
  ['before', 'after', 'top', 'bottom'],
  ['size', 'content_base64', 'from_url'],
  ['parent_id', 'child_id'],
];

/** An object without those of its fields that exclude each other, but one. */
export function oneOfEach(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const superfluous = EXCLUSIVE.flatMap((group) => group.filter((name) => name in object).slice(1));
  return Object.fromEntries(Object.entries(object).filter(([name]) => !superfluous.includes(name)));
}
