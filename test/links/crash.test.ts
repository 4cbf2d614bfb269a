import { describe, expect, it } from 'vitest';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { jobOf, look, made, makeDesk } from '../cards/support/cards.ts';
import { losingAnswer, SDK_TRIES } from '../support/lost-answers.ts';
import { claimFrom, complete, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { dyingEngine } from './support/dying.ts';
import { childOf, finish, link } from './support/links.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');

describe('a completion whose instance dies right after its write', () => {
  it.each(['the next claim', 'the reaper'])('leaves its children to a timer that %s meets', async (who) => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    const held = await mustClaim(main, ada, desk.queue);
    await complete(dyingEngine(world, 1), ada, held).catch(() => undefined);
    expect((await look(world, parent)).state).toBe('done');
    expect(await look(world, child)).toMatchObject({ waiting_on: 'parents', waiting_detail: [] });
    clock.advance(3_000);
    if (who === 'the reaper') {
      await reap(main, clock.now() + 50_000);
      expect((await look(world, child)).state).toBe('ready');
    }
    expect((await claimFrom(world.engine(), ada, desk.queue))?.card.id).toBe(child.id);
  });

  it('puts no timer for a card that nothing waits for', async () => {
    const desk = await makeDesk(world);
    await made(world, desk);
    const { card } = await complete(main, ada, await mustClaim(main, ada, desk.queue));
    const { items } = await main.store.query({ pk: { name: 'pk', value: card.id }, consistent: true });
    expect(items.map(({ sk }) => String(sk))).toEqual(['CARD', 'JOB', 'RUN#000000001']);
  });

  it('leaves no timer behind when the call itself looked at all of them', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    await childOf(world, desk, [parent]);
    await complete(main, ada, await mustClaim(main, ada, desk.queue));
    const { items } = await main.store.query({ pk: { name: 'pk', value: parent.id }, consistent: true });
    expect(items.filter(({ sk }) => String(sk).startsWith('TIMER#'))).toEqual([]);
  });
});

describe('an answer that is lost on the way', () => {
  it.each([0, 1, 2])('of write %i of a completion wakes the child once all the same', async (write) => {
    for (const times of [1, SDK_TRIES]) {
      const desk = await makeDesk(world);
      const parent = await made(world, desk);
      const child = await childOf(world, desk, [parent]);
      const held = await mustClaim(main, ada, desk.queue);
      const losing = losingAnswer(world, write, times);
      await complete(losing.engine, ada, held).catch(() => undefined);
      await complete(main, ada, held);
      clock.advance(10_000);
      expect((await claimFrom(world.engine(), ada, desk.queue))?.card.id).toBe(child.id);
      // Created, ready, claimed: each once.
      expect((await jobOf(world, child)).sequence).toBe(3);
    }
  });

  it('of a link leaves it made once', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk, { column_id: desk.todo });
    const child = await made(world, desk);
    const asked = { card: child.id, parent_id: parent.id };
    await linkCards(losingAnswer(world, 0, SDK_TRIES).engine, admin, asked, null).catch(() => undefined);
    expect((await link(world, parent, child)).created).toBe(false);
    expect((await jobOf(world, child)).sequence).toBe(2);
    await finish(world, desk, parent);
    await moveCard(main, admin, { card: child.id, column_id: desk.todo });
    expect((await look(world, child)).counts.parents_open).toBe(0);
  });
});
