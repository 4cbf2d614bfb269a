/**
 * Every bound on a user's schema and on checking a value against it, with its unit and its reason.
 */

/** Bytes of UTF-8 JSON. A contract's two schemas still fit an item of 400 KB with room for the rest. */
export const MAX_SCHEMA_BYTES = 64 * 1024;

/** Levels of subschema in subschema, the root counted as the first. */
export const MAX_SCHEMA_DEPTH = 20;

/** Subschemas under the root, booleans included. */
export const MAX_SUBSCHEMAS = 200;

/** References met when each is replaced by what it names: the bound that stops a small schema that means a huge one. */
export const MAX_EXPANDED_REFERENCES = 2_000;

/** Automaton states over all patterns of a schema: `(a{1000}){1000}` is 15 characters and a million states. */
export const MAX_PATTERN_STATES = 5_000;

/** Characters of all patterns of a schema: the language's own parser takes 0.05 ms for a `\p{L}`, five characters. */
export const MAX_PATTERN_CHARACTERS = 8_192;

/** Groups in groups of one pattern; the parser recurses once per level. */
export const MAX_PATTERN_GROUPS = 50;

/** Levels of array in object in array, in schemas and in values: the walks here recurse once per level. */
export const MAX_JSON_DEPTH = 64;

/** Milliseconds of the thread's own CPU for compiling a schema and checking one value. */
export const MAX_CPU_MS = 250;

/** Steps between two looks at the CPU clock. A step is 10 to 100 ns, a look 1 us, so a look costs under 1 %. */
export const STEPS_BETWEEN_LOOKS = 5_000;

/** Subschemas applied inside one another: 64 levels of value, eight schemas each. The stack ends past 1,000 of them. */
export const MAX_NESTED_APPLICATIONS = 500;

/** Errors reported for one value, and faults for one schema: enough to fix it in one go, never an unbounded answer. */
export const MAX_ERRORS = 20;

/** Characters of one error's message; an `anyOf` inside an `anyOf` quotes its branches' messages. */
export const MAX_MESSAGE_LENGTH = 300;

/** Characters of one error's pointer; a longer one ends higher up in the value. */
export const MAX_PATH_LENGTH = 500;

/** Compiled schemas that one process keeps. The largest possible are 2 MB each, usual ones some 20 KB. */
export const COMPILED_SCHEMAS_KEPT = 32;
