import { describe, expect, it } from 'vitest';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { promoteCard } from '../../shared/verbs/promote-card.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { refusal } from '../boards/support/board.ts';
import { lastEvents, look, made } from '../cards/support/cards.ts';
import { complete, mustClaim, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { makeAround, verbsOf, type Around } from './support/desk.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const { block, blockByHand, completeByHand, runs, unblock } = verbsOf(world);

/** A card and a parent of it that stands in the same queue, before it. */
async function family(desk: Around) {
  const parent = await made(world, desk, { column_id: desk.todo });
  const child = await made(world, desk, { parents: [parent.id] });
  return { parent, child };
}

describe('a card with an open parent', () => {
  it('blocked for it waits on its parents, spends no attempt, and wakes when they are done', async () => {
    const desk = await makeAround(world);
    const parent = await made(world, desk, { column_id: desk.todo });
    const child = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    // Linking onto a held card is refused: its worker gives it back, and it is blocked by hand.
    expect((await refusal(linkCards(main, admin, { card: child.id, parent_id: parent.id }, null))).code).toBe(
      'conflict',
    );
    expect((await refusal(block(ada, held, { kind: 'dependency' }))).code).toBe('conflict');
    await block(ada, held);
    await linkCards(main, admin, { card: child.id, parent_id: parent.id }, null);
    expect(await unblock(child)).toMatchObject({ state: 'waiting', waiting_on: 'parents', attempt: 0 });
    const waiting = await blockByHand(child, { kind: 'dependency', reason: 'needs the schema' });
    expect(waiting).toMatchObject({
      state: 'waiting',
      waiting_on: 'parents',
      block: null,
      column_id: desk.ready,
    });
    expect(await lastEvents(world, child)).toEqual(['card.dependency_wait']);
    expect((await runs(child)).at(-1)).toMatchObject({ outcome: 'blocked', error: 'needs the schema' });
    expect((await whyNothing(main, bob, desk.queue)).reason).toBe('all_blocked');
    await completeByHand(parent, { summary: 'the schema' });
    expect((await mustClaim(main, bob, desk.queue)).card).toMatchObject({ id: child.id, attempt: 1 });
  });

  it('opened again under a worker keeps it from completing; its block waits, the attempt given back', async () => {
    const desk = await makeAround(world);
    const { parent, child } = await family(desk);
    await completeByHand(parent);
    const held = await mustClaim(main, ada, desk.queue);
    await reopenCard(main, admin, { card: parent.id, column_id: desk.todo });
    expect(await refusal(complete(main, ada, held))).toMatchObject({
      code: 'parents_open',
      extras: { parents: [parent.id] },
    });
    expect((await look(world, child)).lease?.agent).toBe('ada');
    const ended = await block(ada, held, { kind: 'dependency', reason: 'the parent is open again' });
    expect(ended.card).toMatchObject({ state: 'waiting', waiting_on: 'parents', attempt: 0, block: null });
    expect(ended.run).toMatchObject({ outcome: 'blocked', attempt: 1 });
    expect(await lastEvents(world, child)).toEqual(['card.dependency_wait']);
    await completeByHand(parent);
    expect((await mustClaim(main, bob, desk.queue)).card).toMatchObject({ id: child.id, attempt: 1 });
  });

  it('cannot be completed or promoted by hand, and the refusal names the parent', async () => {
    const desk = await makeAround(world);
    const { parent, child } = await family(desk);
    for (const verb of [completeByHand(child), promoteCard(main, admin, { card: child.id })].map(
      async (call) => refusal(call),
    )) {
      expect(await verb).toMatchObject({ code: 'parents_open', extras: { parents: [parent.id] } });
    }
    await completeByHand(parent);
    expect(await completeByHand(child)).toMatchObject({ state: 'done' });
  });

  it('that was blocked for another reason comes back to wait, and is ready once it is done', async () => {
    const desk = await makeAround(world);
    const { parent, child } = await family(desk);
    await blockByHand(child, { kind: 'capability' });
    expect(await unblock(child)).toMatchObject({ state: 'waiting', waiting_on: 'parents' });
    await blockByHand(child, { kind: 'capability' });
    await completeByHand(parent);
    expect((await look(world, child)).state).toBe('blocked');
    expect(await unblock(child)).toMatchObject({ state: 'ready' });
    await complete(main, ada, await mustClaim(main, ada, desk.queue));
  });

  it('blocked for it while the parent is being completed is never left to wait for nothing', async () => {
    for (let round = 0; round < 8; round += 1) {
      const desk = await makeAround(world);
      const { parent, child } = await family(desk);
      const [blocked] = await Promise.allSettled([
        blockByHand(child, { kind: 'dependency' }),
        completeByHand(parent),
      ]);
      expect(['fulfilled', 'rejected']).toContain(blocked.status);
      expect((await look(world, child)).state).toBe('ready');
      expect((await mustClaim(main, bob, desk.queue)).card.id).toBe(child.id);
    }
  });
});
