import { describe, expect, it } from 'vitest';
import { BulkCardsBody } from '../../shared/schemas/cards.ts';
import { assignCard } from '../../shared/verbs/assign-card.ts';
import { bulkCards } from '../../shared/verbs/bulk-cards.ts';
import { holdCard } from '../../shared/verbs/hold-card.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { promoteCard } from '../../shared/verbs/promote-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { refusal } from '../boards/support/board.ts';
import { jobOf, lastEvents, look, made } from '../cards/support/cards.ts';
import { claimFrom, complete, fail, mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { makeAround, verbsOf, type Around } from './support/desk.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const eve = world.person('eve');
const { block, blockByHand, completeByHand, requestReview, runs, unblock } = verbsOf(world);
const promote = async (card: { id: string }) => promoteCard(main, admin, { card: card.id });

describe('a completion by hand', () => {
  it("leaves a run of no length that hands on what the person says, as a worker's would", async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const done = await completeByHand(
      card,
      { summary: 'Shipped by phone', output: { ok: true }, metadata: { residual_risk: [] } },
      eve,
    );
    expect(done).toMatchObject({
      state: 'done',
      column_id: desk.done,
      summary: 'Shipped by phone',
      output: { ok: true },
      attempt: 0,
      fence: 1,
    });
    const [run, ...others] = await runs(card);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      outcome: 'completed',
      summary: 'Shipped by phone',
      metadata: { residual_risk: [] },
      agent: null,
      ended_by: 'eve',
      attempt: 0,
    });
    expect(run?.started_at).toBe(run?.ended_at);
    expect((await jobOf(world, card)).ev).toMatchObject([
      { type: 'card.lease.completed', by: { type: 'person', id: 'eve' }, run: 1 },
    ]);
    expect(await completeByHand(card, { summary: 'again' })).toEqual(done);
    expect(await look(world, card)).toEqual(done);
  });

  it("goes where a worker's would: on to the next stage, or done in place where there is none", async () => {
    const desk = await makeAround(world, { on_success_column_id: null });
    const todo = await made(world, desk, { column_id: desk.todo });
    expect(await completeByHand(todo)).toMatchObject({ state: 'done', column_id: desk.todo });
    const ready = await made(world, desk);
    expect(await completeByHand(ready)).toMatchObject({ state: 'done', column_id: desk.ready });
    const review = await made(world, desk, { column_id: desk.review });
    expect(await completeByHand(review)).toMatchObject({ state: 'done', column_id: desk.done });
    const blocked = await made(world, desk, { column_id: desk.review });
    await blockByHand(blocked, { reason: 'z'.repeat(500) });
    expect(await completeByHand(blocked)).toMatchObject({ state: 'done', column_id: desk.done, block: null });
    const again = await reopenCard(main, admin, { card: ready.id });
    expect(again).toMatchObject({ state: 'ready', column_id: desk.ready });
    expect((await mustClaim(main, ada, desk.queue)).card).toMatchObject({
      id: ready.id,
      fence: 2,
      attempt: 1,
    });
  });

  it('of a held card is refused; of one whose lease has expired it is taken, and the late holder hears of it', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    expect((await refusal(completeByHand(card))).code).toBe('lease_held');
    expect((await look(world, card)).lease?.agent).toBe('ada');
    clock.advance(121_000);
    expect((await completeByHand(card)).state).toBe('done');
    expect((await refusal(complete(main, ada, held))).code).toBe('lease_lost');
    expect((await runs(card)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'expired'],
      [2, 'completed'],
    ]);
    expect((await look(world, card)).summary).toBeNull();
  });

  it('of a dead card is taken, of an archived one not, and an output must fit', async () => {
    const desk = await makeAround(world, {
      max_attempts: 1,
      output_schema: { type: 'object', required: ['url'] },
    });
    const card = await made(world, desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    expect((await look(world, card)).state).toBe('dead');
    expect((await refusal(completeByHand(card))).code).toBe('output_invalid');
    expect(await completeByHand(card, { output: { url: 'x' } })).toMatchObject({
      state: 'done',
      column_id: desk.done,
    });
    const put = await made(world, desk);
    await bulkCards(main, admin, { board: desk.board.id, ids: [put.id], verb: 'archive' });
    expect((await refusal(completeByHand(put, { output: { url: 'x' } }))).code).toBe('conflict');
  });

  it('is no way around four eyes: whoever did the work does not approve it', async () => {
    const desk = await makeAround(world, {}, { exclude_previous_holder: true });
    const card = await made(world, desk);
    await requestReview(ada, await mustClaim(main, ada, desk.queue));
    const own = world.agent('ada', { scopes: ['member'] });
    expect((await refusal(completeByHand(card, {}, own))).code).toBe('conflict');
    expect((await look(world, card)).state).toBe('ready');
    expect((await completeByHand(card, {}, eve)).state).toBe('done');
    const byHand = await made(world, desk);
    await moveCard(main, eve, { card: byHand.id, column_id: desk.todo });
    expect((await completeByHand(byHand, {}, eve)).state).toBe('done');
  });

  it('beside a crowd of claims ends in one of two ways, and never in both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const desk = await makeAround(world);
      const card = await made(world, desk);
      const claims = Array.from({ length: 6 }, async (_, at) =>
        claimFrom(world.engine(), world.agent(`w${at}`), desk.queue),
      );
      const byHand = completeByHand(card).then(
        () => true,
        () => false,
      );
      const won = (await Promise.all(claims)).filter((claim) => claim !== null);
      const done = await byHand;
      expect(won.length).toBe(done ? 0 : 1);
      expect((await look(world, card)).state).toBe(done ? 'done' : 'leased');
    }
  });
});

describe('a promotion', () => {
  it('brings an idle card to the queue for work, at the bottom', async () => {
    const desk = await makeAround(world);
    const first = await made(world, desk);
    const card = await made(world, desk, { column_id: desk.todo });
    clock.advance(5);
    expect(await promote(card)).toMatchObject({ state: 'ready', column_id: desk.ready });
    expect(await lastEvents(world, card)).toEqual(['card.moved', 'card.ready']);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(first.id);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });

  it('brings a blocked card back to where it was blocked, and on to work from where there is none', async () => {
    const desk = await makeAround(world);
    const review = await made(world, desk, { column_id: desk.review });
    await blockByHand(review);
    expect(await promote(review)).toMatchObject({ state: 'ready', column_id: desk.review });
    const todo = await made(world, desk, { column_id: desk.todo });
    await blockByHand(todo, { reason: 'w'.repeat(400) });
    expect(await promote(todo)).toMatchObject({ state: 'ready', column_id: desk.ready, block: null });
  });

  it('ends a backoff at once; ready already, nothing changes', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    expect((await look(world, card)).waiting_on).toBe('backoff');
    const ready = await promote(card);
    expect(ready).toMatchObject({ state: 'ready', attempt: 1 });
    expect(await promote(card)).toEqual(ready);
    expect((await mustClaim(main, ada, desk.queue)).attempt).toBe(2);
  });

  it('overrules nothing that somebody decided, and says what would help', async () => {
    const desk = await makeAround(world);
    const at = new Date(clock.now() + 3_600_000).toISOString();
    for (const [body, cure] of [
      [{ hold: true }, /:unhold/],
      [{ draft: true }, /"draft": false/],
      [{ scheduled_at: at }, /scheduled_at/],
    ] as const) {
      for (const column_id of [desk.ready, desk.todo]) {
        const card = await made(world, desk, { ...body, column_id });
        const refused = await refusal(promote(card));
        expect([refused.code, refused.message]).toEqual(['conflict', expect.stringMatching(cure)]);
        expect(await look(world, card)).toEqual(card);
      }
    }
    const held = await made(world, desk);
    await mustClaim(main, ada, desk.queue);
    expect((await refusal(promote(held))).code).toBe('lease_held');
    const done = await made(world, desk, { column_id: desk.done });
    expect((await refusal(promote(done))).code).toBe('conflict');
  });
});

describe('an assignment', () => {
  it('of a held card is refused unless forced, and forced its worker is told', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const assign = async (more: object = {}) =>
      assignCard(main, eve, { card: card.id, assignee: 'bob', ...more });
    expect((await refusal(assign())).code).toBe('lease_held');
    expect(await assign({ force: true, reason: 'ada is ill' })).toMatchObject({
      assignee: 'bob',
      lease: null,
    });
    expect((await refusal(renew(main, ada, held))).extras).toMatchObject({ reason: 'revoked', by: 'eve' });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    expect((await mustClaim(main, bob, desk.queue)).card.id).toBe(card.id);
  });
});

describe('a person at any time', () => {
  const states: [string, (desk: Around) => Promise<{ id: string }>][] = [
    ['idle', async (desk) => made(world, desk, { column_id: desk.todo })],
    ['ready', async (desk) => made(world, desk)],
    ['on hold', async (desk) => made(world, desk, { hold: true })],
    [
      'leased',
      async (desk) => {
        await made(world, desk);
        return (await mustClaim(main, ada, desk.queue)).card;
      },
    ],
    [
      'leased by one that is late',
      async (desk) => {
        await made(world, desk);
        const { card } = await mustClaim(main, ada, desk.queue);
        clock.advance(121_000);
        await reap(main, clock.now() + 60_000);
        return card;
      },
    ],
    [
      'backing off',
      async (desk) => {
        await made(world, desk);
        return (await fail(main, ada, await mustClaim(main, ada, desk.queue))).card;
      },
    ],
  ];
  it.each(states)('comments on, blocks and unblocks a card that is %s', async (_, make) => {
    const desk = await makeAround(world);
    const card = await make(desk);
    await verbsOf(world).comment(card, 'a word');
    const before = await look(world, card);
    const blocked = await blockByHand(card, { kind: 'needs_input' });
    expect(blocked).toMatchObject({ state: 'blocked', lease: null, column_id: desk.blocked });
    const back = await unblock(card);
    expect(back).toMatchObject({ column_id: before.column_id, attempt: 0, block: null, lease: null });
    expect(back.counts.comments).toBe(1);
  });

  it('puts a blocked card on hold, and edits it, and it stays blocked', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    await block(ada, await mustClaim(main, ada, desk.queue));
    await holdCard(main, admin, { card: card.id });
    await patchCard(main, admin, { card: card.id, title: 'Other', priority: 9 });
    expect(await look(world, card)).toMatchObject({ state: 'blocked', hold: true, title: 'Other' });
    expect(await unblock(card)).toMatchObject({ state: 'waiting', waiting_on: 'hold' });
  });
});

describe('many at once', () => {
  it('are blocked, unblocked and completed, each by itself, with each its own answer', async () => {
    const desk = await makeAround(world);
    const cards = [await made(world, desk), await made(world, desk, { column_id: desk.todo })];
    const taken = await made(world, desk, { priority: 9 });
    await mustClaim(main, ada, desk.queue);
    const ids = [...cards.map(({ id }) => id), taken.id, 'crd_nope'];
    const bulk = async (verb: 'block' | 'unblock' | 'complete', more: object = {}) =>
      (await bulkCards(main, eve, { board: desk.board.id, ids, verb, ...more })).items.map((row) =>
        'error' in row ? row.error.code : row.card?.state,
      );
    expect(await bulk('block', { reason: 'fire drill' })).toEqual([
      'blocked',
      'blocked',
      'blocked',
      'not_found',
    ]);
    expect(await bulk('unblock')).toEqual(['ready', 'idle', 'ready', 'not_found']);
    await mustClaim(main, ada, desk.queue);
    expect(await bulk('complete')).toEqual(['done', 'done', 'lease_held', 'not_found']);
    expect((await look(world, taken)).lease?.agent).toBe('ada');
  });

  it('are completed without a hand-off: a summary is of one card, and is refused by name', () => {
    const bulk = (more: object) => BulkCardsBody.safeParse({ ids: ['crd_1'], ...more });
    expect(bulk({ verb: 'complete' }).success).toBe(true);
    for (const field of ['summary', 'output', 'metadata']) {
      const refused = bulk({ verb: 'complete', [field]: 'x' });
      expect(refused.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: [field] }]);
    }
    expect(bulk({ verb: 'block' }).error?.issues[0]?.path).toEqual(['reason']);
    expect(bulk({ verb: 'block', reason: 'r' }).success).toBe(true);
  });
});
