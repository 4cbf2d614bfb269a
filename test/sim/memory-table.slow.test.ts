import { expect, it } from 'vitest';
import { compareTables } from './support/compare-tables.ts';

const CALLS = 100_000;
const LIMIT_MS = 1_200_000;

it(
  `answers ${CALLS} random calls as DynamoDB Local does`,
  async () => {
    const { difference, calls } = await compareTables('slow', CALLS);
    expect(difference).toBeNull();
    expect(calls).toBe(CALLS);
  },
  LIMIT_MS,
);
