/** What a fault of a request is called, where its schema has no words of its own. */
import type * as z from 'zod';

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };

/** Undefined for what zod says well enough by itself. */
export function wordingOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must ${amount('at least', issue.minimum, issue.origin)}`;
    case 'too_big':
      return `must ${amount('at most', issue.maximum, issue.origin)}`;
    default:
      return undefined;
  }
}

function amount(bound: string, size: number | bigint, origin: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? `be ${bound} ${size}` : `have ${bound} ${size} ${unit}`;
}
