import { expect, test } from 'vitest';
import type { EventPattern } from '../../functions/event-pattern.ts';
import { matchesPattern } from '../../local/event-pattern.ts';

const record = { Keys: { sk: { S: 'JOB' } }, NewImage: { op: { S: 'claim' } }, tags: ['red', 'blue'] };

const CASES: readonly [what: string, pattern: EventPattern, matches: boolean][] = [
  ['a value that is listed', { Keys: { sk: { S: ['BOARD', 'JOB'] } } }, true],
  ['no value but those listed', { Keys: { sk: { S: ['BOARD'] } } }, false],
  ['a list of which one value is listed', { tags: ['blue', 'green'] }, true],
  [
    'only when every field matches',
    { Keys: { sk: { S: ['JOB'] } }, NewImage: { op: { S: ['renew'] } } },
    false,
  ],
  ['a prefix', { NewImage: { op: { S: [{ prefix: 'cl' }] } } }, true],
  ['no other prefix', { NewImage: { op: { S: [{ prefix: 'laim' }] } } }, false],
  ['anything but what is listed', { NewImage: { op: { S: [{ 'anything-but': ['renew'] }] } } }, true],
  ['nothing that is excluded', { NewImage: { op: { S: [{ 'anything-but': ['renew', 'claim'] }] } } }, false],
  ['no missing field by anything-but', { NewImage: { by: { S: [{ 'anything-but': ['renew'] }] } } }, false],
  ['no missing object by anything-but', { OldImage: { op: { S: [{ 'anything-but': ['x'] }] } } }, false],
  ['a field that is there', { NewImage: { op: { S: [{ exists: true }] } } }, true],
  ['a field that is not there', { NewImage: { by: { S: [{ exists: false }] } } }, true],
  ['no field that is there as missing', { NewImage: { op: { S: [{ exists: false }] } } }, false],
  ['nothing that every object inherits', { toString: [{ exists: true }] }, false],
];

test.each(CASES)('it matches %s', (_, pattern, matches) => {
  expect(matchesPattern(pattern, record)).toBe(matches);
});
