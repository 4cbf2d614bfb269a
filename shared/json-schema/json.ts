/** JSON values as the validator sees them: type guards, pointers, depth and equality. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isStrings(value: unknown): value is readonly string[] {
  return isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** One step of a JSON pointer: `/` and `~` are the two characters that it escapes. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** True where arrays and objects nest more than `levels` deep. Recurses `levels` deep at most, whatever it is given. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((child) => nestsDeeperThan(child, levels - 1));
}

/**
 * One text per JSON value: equal values, and only they, have equal texts (keys sorted, 1 and 1.0 the same).
 * `spend` is told of every value met; the depth must have been bounded before.
 */
export function canonicalText(value: unknown, spend: (steps: number) => void): string {
  spend(1);
  if (isArray(value)) {
    return `[${value.map((entry) => canonicalText(entry, spend)).join(',')}]`;
  }
  if (isObject(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key], spend)}`);
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
