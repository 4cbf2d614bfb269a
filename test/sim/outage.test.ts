/** After an outage living holders keep what they hold, and the load is soon what it was. */
import { expect, it } from 'vitest';
import { outage } from './support/outage-story.ts';

it('of holders that live through an outage at most one in twenty loses its card, those of the dead are offered again', async () => {
  const after = await outage({ holders: 60, claimers: 12, dying: 12 });
  expect(after.lost).toBeLessThanOrEqual(3);
  expect(after.offeredAgain).toBe(after.dead);
  expect(after.peak).toBeLessThan(3 * after.normal);
  expect(after.settled).toBeLessThan(1.2 * after.normal);
});
