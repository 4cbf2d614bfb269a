/** What a tool takes and answers, as it is listed. */
import * as z from 'zod';
import { isArray, isObject } from '../../shared/json-schema/json.ts';
import {
  argumentName,
  fieldsOf,
  keyArgument,
  ownArguments,
  PAGE_OF_A_TOOL,
  REV_ARGUMENT,
  takesLimit,
} from './arguments.ts';
import { ARGUMENT_NOTES } from './argument-notes.ts';
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts';
import type { Tool } from './tool.ts';

/** Root of what a tool takes or answers: always an object. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
}

export function inputSchemaOf(tool: Tool): ObjectSchema {
  const own = jsonSchemaOf(ownArguments(tool), 'input');
  const fields = jsonSchemaOf(fieldsOf(tool), 'input');
  const properties = { ...propertiesOf(own), ...renamed(propertiesOf(fields)) };
  if (takesLimit(tool)) Object.assign(properties['limit'] ?? {}, { default: PAGE_OF_A_TOOL });
  const required = [...requiredOf(own), ...requiredOf(fields)];
  return {
    type: 'object',
    properties: described(properties, tool),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const renamed = (properties: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(properties).map(([field, schema]) => [argumentName(field), schema]));

function described(properties: Record<string, JsonSchema>, tool: Tool): Record<string, JsonSchema> {
  const key = keyArgument(tool);
  const notes: Readonly<Record<string, string>> = {
    ...ARGUMENT_NOTES,
    ...(key === null ? {} : { [key]: KEY_NOTE }),
    [REV_ARGUMENT]:
      'rev of the card as you read it; refused with stale_revision when it has been edited since',
  };
  const entries = Object.entries(properties).map(([name, schema]): [string, JsonSchema] => {
    const note = notes[name];
    return [name, note === undefined || 'description' in schema ? schema : { description: note, ...schema }];
  });
  return Object.fromEntries(entries);
}

const KEY_NOTE =
  'Any string of your own, fresh for each new call. When no answer came, repeat with the same one: the same answer, with resumed: true';

const Extras = z.object({
  notice: z.string().optional().meta({ description: 'How to take the texts in this answer' }),
  resumed: z
    .boolean()
    .optional()
    .meta({ description: 'True when the key was used before: the answer of then' }),
});

const Refusal = z.object({
  error: z.object({
    code: z.string(),
    title: z.string(),
    detail: z.string(),
    next_step: z.string(),
    status: z.int(),
  }),
});

export const Done = z.object({ done: z.literal(true) });

/**
 * The answer's shapes as branches under one root. A refusal is one of them, since some clients hold what comes with
 * an error against this schema too.
 */
export function outputSchemaOf({ answer }: Tool): ObjectSchema {
  const shape = jsonSchemaOf(answer ?? Done, 'output');
  const branches = isArray(shape['anyOf']) ? shape['anyOf'] : [shape];
  return {
    type: 'object',
    properties: propertiesOf(jsonSchemaOf(Extras, 'output')),
    anyOf: [...branches, jsonSchemaOf(Refusal, 'output')],
  };
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  const { properties } = schema;
  return isObject(properties) ? (properties as Record<string, JsonSchema>) : {};
}

function requiredOf({ required }: JsonSchema): string[] {
  return isArray(required) ? required.map(String).map(argumentName) : [];
}
