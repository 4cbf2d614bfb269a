/** The bench's own instruments: what they count must be right before anything is held against a budget. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { awsUnits } from './aws-units.ts';
import { isFatal, tableText } from './table.ts';
import { atLeast, atMost, reported } from './figure.ts';
import { itemBytes } from './item-bytes.ts';
import { displacements, passedBy, percentile } from './order.ts';
import { RoundTrips } from './round-trips.ts';

describe('round trips', () => {
  const call = (ms: number) => () => delay(ms);

  it('counts calls side by side once, however long each takes', async () => {
    const trips = new RoundTrips();
    await Promise.all([trips.within(call(1)), trips.within(call(15))]);
    expect(trips.rounds).toBe(1);
  });

  it('counts a call that needs an answer as the next round, also when another is still under way', async () => {
    const trips = new RoundTrips();
    const chain = async () => {
      await trips.within(call(1));
      await trips.within(call(1));
    };
    await Promise.all([chain(), trips.within(call(15))]);
    expect(trips.rounds).toBe(2);
  });

  it('counts a failed call, and hands its error on', async () => {
    const trips = new RoundTrips();
    await expect(trips.within(async () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(trips.rounds).toBe(1);
  });
});

describe('units', () => {
  const consumed = (table: number, indexes: number) => ({
    output: {
      ConsumedCapacity: {
        CapacityUnits: table + indexes,
        GlobalSecondaryIndexes: { lanes: { CapacityUnits: indexes } },
      },
    },
  });

  it('bills each item of a transaction twice by its own size, and its index writes once', () => {
    const call = {
      command: 'TransactWriteItemsCommand',
      input: {},
      sizes: [500, 1_025],
      answer: consumed(2, 4),
    };
    expect(awsUnits(call)).toEqual({ read: 0, write: 2 + 4 + 2 });
  });

  it('bills a refused condition as if it had been written', () => {
    const refusal = (name: string, more: object) => ({
      error: Object.assign(new Error(name), { name }, more),
    });
    const single = refusal('ConditionalCheckFailedException', { Item: { pk: { S: 'x'.repeat(1_100) } } });
    expect(awsUnits({ command: 'UpdateItemCommand', input: {}, answer: single }).write).toBe(2);
    const cancelled = refusal('TransactionCanceledException', {});
    const call = { command: 'TransactWriteItemsCommand', input: {}, sizes: [10, 10], answer: cancelled };
    expect(awsUnits(call).write).toBe(4);
    const other = { command: 'UpdateItemCommand', input: {}, answer: { error: new Error('throttled') } };
    expect(awsUnits(other).write).toBe(0);
  });

  it('bills an empty query and a missing key as the least read', () => {
    const query = { command: 'QueryCommand', input: {}, answer: consumed(0, 0) };
    expect(awsUnits(query).read).toBe(0.5);
    const input = { RequestItems: { t: { Keys: [{}, {}], ConsistentRead: true } } };
    const answer = { output: { ...consumed(1, 0).output, Responses: { t: [{}] } } };
    expect(awsUnits({ command: 'BatchGetItemCommand', input, answer }).read).toBe(2);
  });
});

describe('the order of claims', () => {
  const backlog = ['a', 'b', 'c', 'd'];

  it('is told from the places that cards had', () => {
    expect(displacements({ backlog, claimed: ['b', 'a', 'c', 'd'] })).toEqual([1, 1, 0, 0]);
    expect(percentile([5, 1, 3], 0.99)).toBe(5);
  });

  it('counts a claim that left more higher cards behind than it may', () => {
    const priority = (at: number) => (at === 0 ? 1 : 9);
    expect(passedBy({ backlog, claimed: ['a', 'b', 'c', 'd'] }, priority, 2)).toBe(1);
    expect(passedBy({ backlog, claimed: ['b', 'a', 'c', 'd'] }, priority, 2)).toBe(0);
  });
});

describe('the table', () => {
  it('marks a missed budget, and only such a one fails the bench', () => {
    const figures = [
      atMost('low', 2, 2),
      atMost('high', 2, 2.5),
      atLeast('few', 20, 19),
      reported('known', 7),
    ];
    expect(figures.map(isFatal)).toEqual([false, true, true, false]);
    expect(tableText(figures).split('\n')[3]).toMatch(
      /^\| high +\| \*\*≤ 2\*\* +\| 2\.5 +\| \*\*MISSED\*\* \|$/,
    );
  });
});

describe('the size of an item', () => {
  it('counts names, texts, digits and containers', () => {
    expect(itemBytes({ pk: 'é', n: 1_234, list: ['ab'], yes: true })).toBe(
      4 + (1 + 3) + (4 + 3 + 1 + 2) + (3 + 1),
    );
  });
});
