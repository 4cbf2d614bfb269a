/** Event patterns as EventBridge and Lambda's event source mappings evaluate them. */
import type { EventPattern, Matcher } from '../functions/event-pattern.ts';

/** True when every field that the pattern names matches. Of a list any one value has to. */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([name, rule]) => {
    const value = fieldOf(event, name);
    return isMatchers(rule)
      ? rule.some((matcher) => matchesValue(matcher, value))
      : matchesPattern(rule, value);
  });
}

function isMatchers(rule: EventPattern | readonly Matcher[]): rule is readonly Matcher[] {
  return Array.isArray(rule);
}

function fieldOf(event: unknown, name: string): unknown {
  if (typeof event !== 'object' || event === null || !Object.hasOwn(event, name)) return undefined;
  return Reflect.get(event, name);
}

function matchesValue(matcher: Matcher, value: unknown): boolean {
  if (typeof matcher !== 'string' && 'exists' in matcher) return (value !== undefined) === matcher.exists;
  // Nothing else matches a field that is not there, `anything-but` included.
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.some((one) => matchesOne(matcher, one));
}

function matchesOne(matcher: Exclude<Matcher, { readonly exists: boolean }>, value: unknown): boolean {
  if (typeof matcher === 'string') return value === matcher;
  if ('prefix' in matcher) return typeof value === 'string' && value.startsWith(matcher.prefix);
  return typeof value === 'string' && !matcher['anything-but'].includes(value);
}
