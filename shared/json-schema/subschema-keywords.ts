/**
 * The keywords of JSON Schema 2020-12 that hold subschemas, and how those apply.
 *
 * `applies: 'value'` is the one that matters for safety: such a subschema sees the same value as its parent, so a
 * circle of them would never end. A `child` sees a part of the value, which is finite. `nothing` is only kept.
 */
export interface SubschemaKeyword {
  readonly holds: 'schema' | 'list' | 'map';
  readonly applies: 'value' | 'child' | 'nothing';
}

export const SUBSCHEMA_KEYWORDS: ReadonlyMap<string, SubschemaKeyword> = new Map([
  ['allOf', { holds: 'list', applies: 'value' }],
  ['anyOf', { holds: 'list', applies: 'value' }],
  ['oneOf', { holds: 'list', applies: 'value' }],
  ['not', { holds: 'schema', applies: 'value' }],
  ['if', { holds: 'schema', applies: 'value' }],
  ['then', { holds: 'schema', applies: 'value' }],
  ['else', { holds: 'schema', applies: 'value' }],
  ['dependentSchemas', { holds: 'map', applies: 'value' }],
  ['prefixItems', { holds: 'list', applies: 'child' }],
  ['items', { holds: 'schema', applies: 'child' }],
  ['contains', { holds: 'schema', applies: 'child' }],
  ['properties', { holds: 'map', applies: 'child' }],
  ['patternProperties', { holds: 'map', applies: 'child' }],
  ['additionalProperties', { holds: 'schema', applies: 'child' }],
  ['propertyNames', { holds: 'schema', applies: 'child' }],
  ['unevaluatedItems', { holds: 'schema', applies: 'child' }],
  ['unevaluatedProperties', { holds: 'schema', applies: 'child' }],
  ['contentSchema', { holds: 'schema', applies: 'nothing' }],
  ['$defs', { holds: 'map', applies: 'nothing' }],
  ['definitions', { holds: 'map', applies: 'nothing' }],
] satisfies [string, SubschemaKeyword][]);
