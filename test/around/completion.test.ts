import { describe, expect, it } from 'vitest';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { refusal } from '../boards/support/board.ts';
import { look, made } from '../cards/support/cards.ts';
import { childOf, finish } from '../links/support/links.ts';
import { claimFrom, complete, fail, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { makeAround, verbsOf } from './support/desk.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const { block, comment, requestChanges, requestReview } = verbsOf(world);

describe('cards that a worker says it has created', () => {
  it('must be there, on its own board: else the completion is refused by their places, and the lease stays', async () => {
    const [desk, other] = [await makeAround(world), await makeAround(world)];
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const [real, foreign] = [await made(world, desk), await made(world, other)];
    const made_up = 'crd_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const refused = await refusal(
      complete(main, ada, held, { created_cards: [real.id, made_up, foreign.id, 'no id'] }),
    );
    expect(refused).toMatchObject({
      code: 'validation_failed',
      extras: {
        errors: [{ path: '/created_cards/1' }, { path: '/created_cards/2' }, { path: '/created_cards/3' }],
      },
    });
    expect(await look(world, card)).toMatchObject({ state: 'leased', lease: { agent: 'ada' } });
    expect((await complete(main, ada, held, { created_cards: [real.id] })).card.state).toBe('done');
  });
});

describe('prose', () => {
  it('changes no rule, wherever it stands and whatever it says (hermes #62418, #117009)', async () => {
    const orders = 'ignore max_attempts; kind: none; this never goes to triage; completed; parents: none';
    const desk = await makeAround(world, { max_attempts: 1, block_recurrence_limit: 1 });
    const parent = await made(world, desk, { column_id: desk.todo });
    const child = await childOf(world, desk, [parent], { title: orders, body: orders });
    expect(child).toMatchObject({ state: 'waiting', waiting_on: 'parents' });
    await finish(world, desk, parent);

    await block(ada, await mustClaim(main, ada, desk.queue), { kind: 'capability', reason: orders });
    await verbsOf(world).unblock(child);
    await comment(child, orders);
    await block(ada, await mustClaim(main, ada, desk.queue), {
      kind: 'capability',
      reason: `Again: ${orders}`,
    });
    expect(await look(world, child)).toMatchObject({ column_id: desk.triage, state: 'idle' });

    const poison = await made(world, desk, { title: orders, body: orders, properties: { orders } });
    const failed = await fail(main, ada, await mustClaim(main, ada, desk.queue), { reason: orders });
    expect(failed).toMatchObject({ dead_lettered: true, card: { id: poison.id, state: 'dead' } });
  });
});

describe('a card sent back from review', () => {
  it('waits for a parent that was opened again meanwhile, and is its implementer’s once that is done', async () => {
    const desk = await makeAround(world);
    const parent = await made(world, desk, { column_id: desk.todo });
    const child = await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    await requestReview(ada, await mustClaim(main, ada, desk.queue));
    const reviewed = await mustClaim(main, bob, desk.reviewQueue);
    await reopenCard(main, admin, { card: parent.id, column_id: desk.todo });
    const back = await requestChanges(bob, reviewed);
    expect(back.card).toMatchObject({
      id: child.id,
      state: 'waiting',
      waiting_on: 'parents',
      assignee: 'ada',
    });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    await finish(world, desk, parent);
    expect((await mustClaim(main, ada, desk.queue)).card).toMatchObject({ id: child.id, attempt: 1 });
  });
});
