import { describe, expect, it } from 'vitest';
import type { Caller } from '../../shared/engine.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { createColumn } from '../../shared/verbs/create-column.ts';
import { getFrontier } from '../../shared/verbs/get-frontier.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { updateBoard } from '../../shared/verbs/update-board.ts';
import { inWidth } from '../../shared/width.ts';
import { at, refusal } from '../boards/support/board.ts';
import { jobOf, made, makeDesk, setContract, type Desk } from '../cards/support/cards.ts';
import { queueOf } from '../boards/support/board.ts';
import { claimFrom, complete, mustClaim, release, whyNothing } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const LONG_MS = 240_000;

const cap = async (of: World, desk: Desk, max_in_progress: number | null) => {
  await updateBoard(of.main, admin, { board: desk.board.id, max_in_progress });
  of.clock.advance(10_000);
};
const fill = async (of: World, desk: Desk, count: number, more: object = {}) =>
  inWidth(8, Array.from({ length: count }), async () => made(of, desk, more));
/** Claims until nothing more is given; a limit set anew takes looks at the leases first. */
async function takeAll(of: World, desk: Desk, caller: Caller, column?: string) {
  const queue = column === undefined ? desk.queue : await queueOf(of.main, desk.board, column);
  const taken = [];
  for (let empty = 0; empty < 4;) {
    const lease = await claimFrom(of.engine(), caller, queue);
    if (lease === null) empty += 1;
    else taken.push(lease);
  }
  return taken;
}

describe('the cap of a board', () => {
  it('counts the leases of all its columns together, and frees one with each that ends', async () => {
    const desk = await makeDesk(world);
    await fill(world, desk, 4);
    await fill(world, desk, 4, { column_id: desk.review });
    await cap(world, desk, 3);
    const held = await takeAll(world, desk, ada);
    expect(held).toHaveLength(3);
    expect(await takeAll(world, desk, bob, 'Review')).toEqual([]);
    const review = await queueOf(main, desk.board, 'Review');
    expect((await whyNothing(main, bob, review)).reason).toBe('concurrency_limit');
    const view = await getFrontier(world.engine(), bob, { board: desk.board.id });
    expect(view).toMatchObject({ items: [], reason: 'concurrency_limit', active: 1 });
    const [first] = held;
    if (first !== undefined) await complete(main, ada, first);
    expect(await takeAll(world, desk, bob, 'Review')).toHaveLength(1);
  });

  it('set while leases live counts those too, whatever column they are in', async () => {
    const desk = await makeDesk(world);
    await fill(world, desk, 4);
    await fill(world, desk, 4, { column_id: desk.review });
    const review = await queueOf(main, desk.board, 'Review');
    const held = [
      await mustClaim(main, ada, desk.queue),
      await mustClaim(main, ada, review),
      await mustClaim(main, ada, review),
    ];
    await cap(world, desk, 2);
    expect(await takeAll(world, desk, bob)).toEqual([]);
    for (const lease of held.slice(0, 2)) await release(main, ada, lease);
    expect(await takeAll(world, desk, bob, 'Review')).toHaveLength(1);
    await cap(world, desk, null);
    expect((await takeAll(world, desk, bob)).length).toBe(4);
  });

  it('lowered drains, and is in force in a column that is made later (hermes #81381, #59499)', async () => {
    const desk = await makeDesk(world);
    await fill(world, desk, 6);
    await cap(world, desk, 4);
    const held = await takeAll(world, desk, ada);
    expect(held).toHaveLength(4);
    await cap(world, desk, 2);
    for (const [at, lease] of held.entries()) {
      await complete(main, ada, lease);
      const room = await claimFrom(world.engine(), bob, desk.queue);
      expect(room === null).toBe(at < 2);
    }
    const late = await createColumn(main, admin, { board: desk.board.id, name: 'Late' }, null);
    await putContract(main, admin, {
      board: desk.board.id,
      column: late.value.id,
      contract: { enabled: true },
    });
    await made(world, desk, { column_id: late.value.id });
    clock.advance(10_000);
    expect(
      await claimFrom(main, ada, {
        ...desk.queue,
        column: { ...desk.queue.column, column_id: late.value.id },
      }),
    ).toBeNull();
  });

  it(
    'is held to by sixty-four claimers at once, beside the column’s own and that per agent',
    async () => {
      const own = await createWorld({ sleep: 'real' });
      const desk = await makeDesk(own, { concurrency_limit: 9, max_per_assignee: 2 });
      await fill(own, desk, 60);
      await cap(own, desk, 7);
      await takeAll(own, desk, own.agent('warm'));
      const engines = Array.from({ length: 8 }, () => own.engine());
      let most = 0;
      let mostOfOne = 0;
      const living = new Map<string, string>();
      await inWidth(64, Array.from({ length: 128 }), async (_, turn) => {
        const caller = own.agent(`agent-${turn % 10}`);
        const engine = engines[turn % engines.length] ?? own.main;
        const lease = await claimFrom(engine, caller, desk.queue);
        if (lease === null) return;
        living.set(lease.lease_id, caller.tokenName);
        most = Math.max(most, living.size);
        const mine = [...living.values()].filter((name) => name === caller.tokenName).length;
        mostOfOne = Math.max(mostOfOne, mine);
        // Long enough for others to try meanwhile.
        for (let pause = 0; pause < 10; pause += 1) await own.main.deps.sleep(50);
        living.delete(lease.lease_id);
        await complete(engine, caller, lease);
      });
      // "warm" holds two of the board's seven throughout.
      expect(most).toBeLessThanOrEqual(5);
      expect(mostOfOne).toBeLessThanOrEqual(2);
      expect(most).toBeGreaterThan(1);
    },
    LONG_MS,
  );
});

describe('the cap on what one agent holds in a column', () => {
  it('leaves the others their turn', async () => {
    const desk = await makeDesk(world, { max_per_assignee: 2 });
    await fill(world, desk, 6);
    clock.advance(10_000);
    const own = await takeAll(world, desk, ada);
    expect(own).toHaveLength(2);
    expect((await whyNothing(main, ada, desk.queue)).reason).toBe('concurrency_limit');
    expect((await getFrontier(main, ada, { board: desk.board.id })).reason).toBe('concurrency_limit');
    expect(await takeAll(world, desk, bob)).toHaveLength(2);
    const [first] = own;
    if (first !== undefined) await release(main, ada, first);
    expect(await takeAll(world, desk, ada)).toHaveLength(1);
  });

  it('goes with the card: superseded or taken over, it counts for its new holder', async () => {
    const desk = await makeDesk(world, { max_per_assignee: 1, concurrency_limit: 5 });
    await fill(world, desk, 1);
    clock.advance(10_000);
    const [held] = await takeAll(world, desk, ada);
    const card = { id: held?.card.id ?? '' };
    await claimCard(main, bob, { card: card.id, takeover: true, reason: 'ada is gone' }, null);
    await fill(world, desk, 2);
    expect(await takeAll(world, desk, bob)).toEqual([]);
    expect(await takeAll(world, desk, ada)).toHaveLength(1);
    await fill(world, desk, 1);
    const refused = claimCard(main, ada, { card: card.id, takeover: true, reason: 'again' }, null);
    expect(await refusal(refused)).toMatchObject({ code: 'conflict' });
    expect((await jobOf(world, card)).slot?.split(' ')).toHaveLength(2);
    clock.advance(121_000);
    const eve = world.agent('eve');
    expect(await takeAll(world, desk, eve)).toHaveLength(1);
    expect(await takeAll(world, desk, ada)).toHaveLength(1);
  });

  it('set while leases live counts those of each agent', async () => {
    const desk = await makeDesk(world);
    await fill(world, desk, 6);
    await mustClaim(main, ada, desk.queue);
    await mustClaim(main, ada, desk.queue);
    await setContract(world, desk.board, { on_success_column_id: desk.done, max_per_assignee: 2 });
    clock.advance(10_000);
    expect(await takeAll(world, desk, bob)).toHaveLength(2);
    expect(await takeAll(world, desk, ada)).toEqual([]);
  });
});

describe('aging', () => {
  it('lets a low card come up under a steady stream of high ones (veritas #1063, hive PR 1363)', async () => {
    const desk = await makeDesk(world, { aging_seconds: 60 });
    const low = await made(world, desk, { priority: 0 });
    let claims = 0;
    for (;;) {
      await made(world, desk, { priority: 9 });
      clock.advance(30_000);
      claims += 1;
      const held = await mustClaim(main, ada, desk.queue);
      await complete(main, ada, held);
      if (held.card.id === low.id) break;
      expect(claims).toBeLessThan(30);
    }
    // Nine steps of priority are worth nine minutes of waiting.
    expect(claims).toBeGreaterThanOrEqual(18);
    expect(claims).toBeLessThanOrEqual(20);
  });

  it('goes by priority among cards that have waited equally long, and follows a changed one', async () => {
    const desk = await makeDesk(world, { aging_seconds: 600 });
    const cards = [];
    for (const priority of [3, 5, 7]) cards.push(await made(world, desk, { priority }));
    await patchCard(main, admin, { card: cards[0]?.id ?? '', priority: 9 });
    const order = [];
    for (let turn = 0; turn < 3; turn += 1)
      order.push((await mustClaim(main, ada, desk.queue)).card.priority);
    expect(order).toEqual([9, 7, 5]);
  });

  it('counts from a card’s next entry when it is changed, and ends with it', async () => {
    const desk = await makeDesk(world, { aging_seconds: 60 });
    const aged = await made(world, desk, { priority: 0 });
    expect((await jobOf(world, aged)).aging_ms).toBe(60_000);
    await setContract(world, desk.board, { on_success_column_id: desk.done });
    await patchCard(main, admin, { card: aged.id, title: 'Still as it was' });
    expect((await jobOf(world, aged)).aging_ms).toBe(60_000);
    clock.advance(3_000);
    await release(main, ada, await mustClaim(main, ada, desk.queue));
    expect((await jobOf(world, aged)).aging_ms).toBeUndefined();
    expect(at(desk.board, 'Ready').column).toBe(desk.ready);
  });
});
