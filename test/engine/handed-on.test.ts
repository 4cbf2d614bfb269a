/** Slots of a lease that passes to another agent. */
import { expect, it } from 'vitest';
import { namedSlots } from '../../shared/claim/caps.ts';
import { jobOf, made, makeDesk, setContract } from '../cards/support/cards.ts';
import { claimFrom, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const ada = world.agent('ada');
const bob = world.agent('bob');
/** Past every remembered contract, and what the adopting of leases waits for. */
const SETTLED_MS = 8_000;

it('a slot of its former holder is not the next one’s: the limit per agent, set again, counts the lease anew', async () => {
  const desk = await makeDesk(world, { max_per_assignee: 1, lease_ttl_seconds: 30 });
  const card = await made(world, desk);
  world.clock.advance(SETTLED_MS);
  await mustClaim(world.engine(), ada, desk.queue);
  await setContract(world, desk.board, { max_per_assignee: null, lease_ttl_seconds: 30 });
  world.clock.advance(31_000);
  const held = await mustClaim(world.engine(), bob, desk.queue);
  expect(held.card.id).toBe(card.id);
  expect(namedSlots(await jobOf(world, card))).toEqual([]);

  await setContract(world, desk.board, { max_per_assignee: 1, lease_ttl_seconds: 30 });
  await made(world, desk);
  for (let look = 0; look < 3; look += 1) {
    world.clock.advance(SETTLED_MS);
    expect(await claimFrom(world.engine(), bob, desk.queue)).toBeNull();
  }
  expect(await claimFrom(world.engine(), ada, desk.queue)).not.toBeNull();
});
