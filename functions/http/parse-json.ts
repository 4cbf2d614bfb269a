/**
 * Reads a body's bytes as JSON. What would come back as something else than was sent is refused, by name: better
 * than a card whose ids were rounded.
 */
import { problem, type FieldFault } from '../../shared/errors.ts';
import { isObject, type JsonObject } from '../../shared/json-schema/json.ts';
import { pointer, refusedInput } from '../../shared/schemas/parse-input.ts';

/** Far beyond what any field takes, which its own schema bounds; it keeps the recursion over a body bounded. */
const DEPTH_MAX = 200;
/** JavaScript takes it for the object's prototype. */
const RESERVED_NAME = '__proto__';

/** As many as tell what is wrong with a body; the search ends there. */
const FAULTS_FOUND = 20;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a body; `{}` of an empty one. Of a name that comes twice the last value counts, as everywhere in
 * JavaScript.
 *
 * @throws Problem `malformed_json`, or `validation_failed` with the place of what would not stay as it is.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  return mustStay(parseText(bytes));
}

/** @throws Problem `validation_failed` with the place of what would not stay as it is. */
export function mustStay<T>(value: T): T {
  const faults: FieldFault[] = [];
  findUnstable(value, [], faults);
  if (faults.length > 0) throw refusedInput(faults);
  return value;
}

/** @param what How the text is called in a refusal. */
export function parseText(bytes: Buffer, what = 'The body'): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const where = error instanceof SyntaxError ? /position \d+/.exec(error.message)?.[0] : undefined;
    throw problem(
      'malformed_json',
      `${what} is not JSON in UTF-8${where === undefined ? '' : ` (at ${where})`}.`,
    );
  }
}

/** Adds to `faults`; `path` is where `value` stands, shared and restored so that a large body stays cheap. */
function findUnstable(value: unknown, path: PropertyKey[], faults: FieldFault[]): void {
  const message = valueFault(value, path.length);
  if (message !== null) faults.push({ path: pointer(path), message });
  else if (Array.isArray(value)) {
    for (let at = 0; at < value.length && faults.length < FAULTS_FOUND; at += 1) {
      path.push(at);
      findUnstable(value[at], path, faults);
      path.pop();
    }
  } else if (isObject(value)) findUnstableNames(value, path, faults);
}

function findUnstableNames(value: JsonObject, path: PropertyKey[], faults: FieldFault[]): void {
  for (const name of Object.keys(value)) {
    if (faults.length >= FAULTS_FOUND) return;
    path.push(name);
    const fault = nameFault(name);
    if (fault === null) findUnstable(value[name], path, faults);
    else faults.push({ path: pointer(path), message: fault });
    path.pop();
  }
}

function valueFault(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : 'holds half of a surrogate pair';
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'object' && value !== null && depth >= DEPTH_MAX) {
    return `must not nest deeper than ${DEPTH_MAX} levels`;
  }
  return null;
}

/** Beyond this, whole numbers are rounded when they are read: an id of 19 digits becomes another. */
function numberFault(value: number): string | null {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return null;
  return `numbers reach to ${Number.MAX_SAFE_INTEGER} either way; send a larger one as a string`;
}

function nameFault(name: string): string | null {
  if (name === RESERVED_NAME) return `the name '${name}' is reserved`;
  return name.isWellFormed() ? null : 'the name holds half of a surrogate pair';
}
