import { expect, it } from 'vitest';
import { note, writeChange } from '../../shared/jobs.ts';
import { SILENT_OPS } from '../../shared/lifecycle.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { jobOf, made, makeDesk } from '../cards/support/cards.ts';
import { mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { main, admin } = world;

it('a change written just behind a heartbeat is told as what it is, though the change before was of its kind', async () => {
  const ada = world.agent('ada');
  const desk = await makeDesk(world);
  const card = await made(world, desk);
  const held = await mustClaim(main, ada, desk.queue);
  await patchCard(main, admin, { card: card.id, labels: ['a'] });
  const before = await jobOf(world, card);
  await renew(main, ada, held);
  const after = { ...before, labels: ['a', 'b'] };
  const events = [note('card.updated', { type: 'person', id: 'cy' }, before)];
  const outcome = await writeChange(main, { op: 'edit', before, after, events });
  expect(outcome.done).toBe(true);
  const { op, labels, sequence } = await jobOf(world, card);
  expect({ op, labels, sequence }).toEqual({
    op: 'edit',
    labels: ['a', 'b'],
    sequence: before.sequence + 1,
  });
  expect(SILENT_OPS).not.toContain(op);
});
