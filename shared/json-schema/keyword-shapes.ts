/** What the value of each keyword must look like. A keyword that is not in the table is refused by name. */
import { FORMATS } from './formats.ts';
import { isArray, isObject, isStrings } from './json.ts';
import { TYPE_NAMES } from './keywords-value.ts';

/** @returns what is wrong, or null. */
type Shape = (value: unknown) => string | null;

const anything: Shape = () => null;

function shape(fits: (value: unknown) => boolean, message: string): Shape {
  return (value) => (fits(value) ? null : message);
}

const text = shape((value) => typeof value === 'string', 'must be a string');
const flag = shape((value) => typeof value === 'boolean', 'must be true or false');
const number = shape(Number.isFinite, 'must be a number');
const count = shape(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'must be a whole number that is not negative',
);
const names = shape(
  (value) => isStrings(value) && new Set(value).size === value.length,
  'must be a list of different names',
);
const schemas = shape((value) => isArray(value) && value.length > 0, 'must be a list of at least one schema');
const schemaMap = shape(isObject, 'must be an object of schemas by name');

const type = shape(
  (value) => {
    const given = typeof value === 'string' ? [value] : value;
    return isStrings(given) && given.length > 0 && given.every((name) => TYPE_NAMES.includes(name));
  },
  `must be one or a list of ${TYPE_NAMES.join(', ')}`,
);

const format: Shape = (value) =>
  typeof value === 'string' && FORMATS.has(value)
    ? null
    : `must be a format that is checked: ${[...FORMATS.keys()].join(', ')}; leave out others`;

const reference: Shape = (value) =>
  typeof value === 'string' && value.startsWith('#')
    ? null
    : 'must point into this schema, like #/$defs/name: nothing is fetched from elsewhere';

const SHAPES_OF: readonly (readonly [Shape, readonly string[]])[] = [
  [
    text,
    ['title', 'description', '$comment', 'contentEncoding', 'contentMediaType', 'pattern', '$schema', '$id'],
  ],
  [flag, ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly']],
  [number, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']],
  [count, ['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains']],
  [count, ['minProperties', 'maxProperties']],
  [names, ['required']],
  // Whether a single subschema is one is seen when that subschema is looked at.
  [anything, ['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames', 'contentSchema']],
  [anything, ['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties']],
  [schemas, ['allOf', 'anyOf', 'oneOf', 'prefixItems']],
  [schemaMap, ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']],
  [anything, ['default', 'const']],
  [shape(isArray, 'must be a list'), ['examples']],
  [type, ['type']],
  [format, ['format']],
  [reference, ['$ref']],
  [shape((value) => Number.isFinite(value) && Number(value) > 0, 'must be a number above 0'), ['multipleOf']],
  [shape((value) => isArray(value) && value.length > 0, 'must be a list of at least one value'), ['enum']],
  [
    shape(
      (value) => isObject(value) && Object.values(value).every((list) => names(list) === null),
      'must be an object of lists of names',
    ),
    ['dependentRequired'],
  ],
  [
    shape(
      (value) => typeof value === 'string' && /^[A-Za-z_][\w.-]*$/u.test(value),
      'must be a name of letters, digits, _, - and .',
    ),
    ['$anchor'],
  ],
];

export const KEYWORD_SHAPES: ReadonlyMap<string, Shape> = new Map(
  SHAPES_OF.flatMap(([fits, keywords]) => keywords.map((keyword) => [keyword, fits] as const)),
);

/** Keywords of other drafts and dialects, and what to write instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['dependencies', 'use dependentRequired or dependentSchemas'],
  ['additionalItems', 'use items beside prefixItems'],
  ['nullable', 'use a list of types, like ["string", "null"]'],
  ['id', 'that is of an older draft; leave it out'],
  ['example', 'use examples, which is a list'],
  ['$dynamicRef', 'only plain references inside the schema are supported: use $ref'],
  ['$dynamicAnchor', 'use $anchor'],
  ['$recursiveRef', 'only plain references inside the schema are supported: use $ref'],
  ['$recursiveAnchor', 'use $anchor'],
  ['$vocabulary', 'that is for meta-schemas only'],
  ['$data', 'limits that come from the value itself are not supported'],
]);

/** Why a keyword is refused by its name, and what to write; null for one that is known or an author's own (`x-...`). */
export function refuseKeyword(keyword: string): string | null {
  if (KEYWORD_SHAPES.has(keyword) || keyword.startsWith('x-')) {
    return null;
  }
  const instead = INSTEAD.get(keyword);
  if (instead !== undefined) {
    return `is not supported: ${instead}`;
  }
  const meant = [...KEYWORD_SHAPES.keys()].find((known) => isOneSlipFrom(keyword, known));
  const guess = meant === undefined ? '' : `, did you mean ${meant}?`;
  return `is no keyword of JSON Schema 2020-12${guess} (your own annotations begin with x-)`;
}

/** Letters' case, or one letter too many, missing, changed or swapped with its neighbour. */
function isOneSlipFrom(written: string, known: string): boolean {
  const [given, wanted] = [written.toLowerCase(), known.toLowerCase()];
  let start = 0;
  while (start < wanted.length && wanted[start] === given[start]) {
    start += 1;
  }
  const [left, right] = [given.slice(start), wanted.slice(start)];
  return (
    left.slice(1) === right.slice(1) ||
    left === right.slice(1) ||
    left.slice(1) === right ||
    (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0])
  );
}
