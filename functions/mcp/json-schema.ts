/**
 * The zod schemas of a route as the JSON Schema of a tool. Plainer than zod writes it: every host hands it to a
 * model in a dialect of its own, and what one of them does not know it drops, or drops the tool.
 */
import * as z from 'zod';
// Not as `z.core`: that would put zod's messages in fifty languages into the bundle.
import { $ZodRegistry } from 'zod/v4/core';
import { isArray, isObject } from '../../shared/json-schema/json.ts';
import { flag } from '../../shared/schemas/paging.ts';

export type JsonSchema = Record<string, unknown>;

/** Without ids: these would make references, which not every host resolves. */
class Inlined extends $ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType): Record<string, unknown> {
    const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
}

const metadata = new Inlined();

/** @param io `input` for what is sent, `output` for what is answered. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A flag may be sent as text in a query, which no tool has.
      if (zodSchema === flag) Object.assign(jsonSchema, { type: 'boolean', anyOf: undefined });
      // Answers may gain fields; what is sent may not.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return plain(made);
}

const ANY_JSON = ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) => ({ type }));
/** Words that say nothing about the value. */
const NOTES = new Set(['description', 'default', 'title', 'examples']);

/** Maps of names to schemas, whose own names are no keywords. */
const SCHEMA_MAPS = new Set(['properties', '$defs']);

function plain(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] =>
    isNoise(keyword, value, schema) ? [] : [[keyword, plainValue(keyword, value)]],
  );
  return constrained(Object.fromEntries(entries));
}

function plainValue(keyword: string, value: unknown): unknown {
  if (SCHEMA_MAPS.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainPart(part)]));
  }
  if (keyword === 'anyOf' && isArray(value)) return value.map(plainPart);
  // Of a record: any value.
  if (keyword === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0) return true;
  return keyword === 'items' || keyword === 'additionalProperties' ? plainPart(value) : value;
}

const plainPart = (part: unknown): unknown => (isObject(part) ? plain({ ...part }) : part);

/** What zod says beside what was meant: bounds of every number, the pattern of every time, names that are text. */
function isNoise(keyword: string, value: unknown, schema: JsonSchema): boolean {
  return (
    value === undefined ||
    (schema['format'] === 'date-time' && (keyword === 'pattern' || keyword === 'description')) ||
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'minLength' && value === 0) ||
    keyword === 'propertyNames'
  );
}

/** One type each: a list of types, or none at all, becomes branches. */
function constrained(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (isArray(type)) return { ...rest, anyOf: type.map((name) => ({ type: name })) };
  const says = Object.keys(schema).some((keyword) => !NOTES.has(keyword));
  return says ? schema : { ...schema, anyOf: ANY_JSON };
}
