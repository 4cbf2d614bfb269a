/**
 * Decides whether a user's schema may be stored: everything that would make checking a value fail, mislead or run
 * away is refused here, with its place, so that what is stored can be used without a second look.
 */
import { isArray, isObject, type JsonObject, nestsDeeperThan, pointerStep } from './json.ts';
import { KEYWORD_SHAPES, refuseKeyword } from './keyword-shapes.ts';
import {
  MAX_ERRORS,
  MAX_EXPANDED_REFERENCES,
  MAX_JSON_DEPTH,
  MAX_SCHEMA_BYTES,
  MAX_SCHEMA_DEPTH,
  MAX_SUBSCHEMAS,
} from './limits.ts';
import { PatternFault } from './parse-pattern.ts';
import { PatternSet } from './pattern.ts';
import { countExpandedReferences, findEndlessReference, resolveReference } from './references.ts';
import { indexSubschemas, type Subschema, type SubschemaIndex } from './subschemas.ts';

/** What is wrong with a schema and where: `path` is a JSON pointer into the schema. */
export interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/**
 * @param schema JSON, as it was sent.
 * @returns at most 20 faults; none means that the schema can be stored and used.
 */
export function checkSchema(schema: unknown): readonly SchemaFault[] {
  const tooLarge = checkSize(schema);
  if (tooLarge.length > 0) {
    return tooLarge;
  }
  const index = indexSubschemas(schema);
  const outgrown = checkShape(index);
  if (outgrown.length > 0) {
    return outgrown;
  }
  const patterns = new PatternSet();
  const faults = [...index.byPointer.values()].flatMap((subschema) =>
    checkSubschema(subschema, index, patterns),
  );
  return (faults.length > 0 ? faults : checkExpansion(index)).slice(0, MAX_ERRORS);
}

function checkSize(schema: unknown): SchemaFault[] {
  if (!isObject(schema) && typeof schema !== 'boolean') {
    return [{ path: '', message: 'must be a JSON Schema: an object, true or false' }];
  }
  if (nestsDeeperThan(schema, MAX_JSON_DEPTH)) {
    return [{ path: '', message: `is nested more than ${MAX_JSON_DEPTH} levels deep` }];
  }
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  return bytes > MAX_SCHEMA_BYTES
    ? [{ path: '', message: `has ${bytes} bytes, and at most ${MAX_SCHEMA_BYTES} are allowed` }]
    : [];
}

function checkShape(index: SubschemaIndex): SchemaFault[] {
  if (index.byPointer.size - 1 > MAX_SUBSCHEMAS) {
    return [{ path: '', message: `has more than ${MAX_SUBSCHEMAS} subschemas` }];
  }
  const deep = [...index.byPointer.values()].find(({ depth }) => depth > MAX_SCHEMA_DEPTH);
  return deep === undefined
    ? []
    : [{ path: deep.pointer, message: `is nested more than ${MAX_SCHEMA_DEPTH} schemas deep` }];
}

function checkSubschema(subschema: Subschema, index: SubschemaIndex, patterns: PatternSet): SchemaFault[] {
  const { schema, pointer } = subschema;
  if (!isObject(schema)) {
    return typeof schema === 'boolean' ? [] : [{ path: pointer, message: noSchemaMessage(schema) }];
  }
  return Object.keys(schema).flatMap((keyword) => {
    const path = `${pointer}${pointerStep(keyword)}`;
    const message =
      refuseKeyword(keyword) ??
      KEYWORD_SHAPES.get(keyword)?.(schema[keyword]) ??
      checkMeaning(keyword, schema[keyword], subschema, index);
    return message === null ? checkPatterns(keyword, schema, path, patterns) : [{ path, message }];
  });
}

function noSchemaMessage(held: unknown): string {
  return isArray(held)
    ? 'must be one schema: for the items of a list, schemas by position go into prefixItems'
    : 'must be a schema: an object, true or false';
}

/** What a keyword's place and neighbours decide, for a value that has the right shape. */
function checkMeaning(
  keyword: string,
  value: unknown,
  subschema: Subschema,
  index: SubschemaIndex,
): string | null {
  switch (keyword) {
    case '$schema':
      return value === DIALECT || value === `${DIALECT}#`
        ? null
        : `must be ${DIALECT}, the one dialect supported`;
    case '$id':
      // At the root it is a name and nothing more; further down it would change what the references there mean.
      return subschema.pointer === ''
        ? null
        : 'is allowed at the root only: below, it would redirect references';
    case '$anchor':
      return index.anchors.get(String(value)) === subschema.pointer ? null : 'is used twice';
    case '$ref':
      return resolveReference(String(value), index) === undefined ? 'does not point at a subschema' : null;
    default:
      return null;
  }
}

function checkPatterns(
  keyword: string,
  schema: JsonObject,
  path: string,
  patterns: PatternSet,
): SchemaFault[] {
  if (keyword === 'pattern') {
    return checkPattern(String(schema['pattern']), path, patterns);
  }
  const rules = keyword === 'patternProperties' ? schema['patternProperties'] : undefined;
  return isObject(rules)
    ? Object.keys(rules).flatMap((source) => checkPattern(source, `${path}${pointerStep(source)}`, patterns))
    : [];
}

function checkPattern(source: string, path: string, patterns: PatternSet): SchemaFault[] {
  try {
    patterns.compile(source);
    return [];
  } catch (error) {
    if (error instanceof PatternFault) {
      return [{ path, message: error.message }];
    }
    throw error;
  }
}

function checkExpansion(index: SubschemaIndex): SchemaFault[] {
  const endless = findEndlessReference(index);
  if (endless !== undefined) {
    return [
      { path: endless, message: 'refers to itself without going down into the value, so it would never end' },
    ];
  }
  return countExpandedReferences(index) > MAX_EXPANDED_REFERENCES
    ? [{ path: '', message: `expands to more than ${MAX_EXPANDED_REFERENCES} references` }]
    : [];
}
