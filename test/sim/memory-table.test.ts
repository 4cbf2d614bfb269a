import { expect, it } from 'vitest';
import { compareTables, streamOf } from './support/compare-tables.ts';

/** `memory-table.slow.test.ts` makes a hundred thousand. */
const CALLS = 1_200;
const CALLS_WITH_STREAM = 400;

it(`answers ${CALLS} random calls as DynamoDB Local does`, async () => {
  const { difference, calls } = await compareTables('quick', CALLS);
  expect(difference).toBeNull();
  expect(calls).toBe(CALLS);
});

it('puts the same changes into its stream, each with the item before and after, and none for a write that changes nothing', async () => {
  const { difference, table, changes } = await compareTables('stream', CALLS_WITH_STREAM, true);
  expect(difference).toBeNull();
  const seen = changes.map(({ key, before, after }) => ({ key, before, after }));
  expect(await streamOf(table)).toEqual(seen);
  expect(seen.length).toBeGreaterThan(50);
});
