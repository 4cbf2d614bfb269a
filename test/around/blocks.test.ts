import { describe, expect, it } from 'vitest';
import { BlockBody, BlockCardBody } from '../../shared/schemas/blocks.ts';
import { createColumn } from '../../shared/verbs/create-column.ts';
import { deleteColumn } from '../../shared/verbs/delete-column.ts';
import { getLease } from '../../shared/verbs/get-lease.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { refusal } from '../boards/support/board.ts';
import { jobOf, lastEvents, look, made } from '../cards/support/cards.ts';
import { claimFrom, complete, mustClaim, renew, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { claimSoon, makeAround, verbsOf } from './support/desk.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const { block, blockByHand, unblock, runs, requestReview } = verbsOf(world);

describe("a worker's block", () => {
  it('ends its run, spends no attempt, and lays the card where people look for such cards', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const reason = `Which schema? ${'x'.repeat(500)}`;
    const ended = await block(ada, held, { kind: 'needs_input', reason });
    expect(ended.run).toMatchObject({ outcome: 'blocked', error: reason, agent: 'ada', attempt: 1 });
    expect(ended.card).toMatchObject({
      state: 'blocked',
      column_id: desk.blocked,
      lease: null,
      block: { kind: 'needs_input', reason, by: 'ada', at: new Date(clock.now()).toISOString() },
      rev: card.rev,
    });
    expect(await look(world, card)).toEqual(ended.card);
    expect((await jobOf(world, card)).ev).toMatchObject([
      { type: 'card.blocked', by: { type: 'agent', id: 'ada' }, lease: { run: 1, agent: 'ada' } },
    ]);
    expect(await claimFrom(main, bob, desk.queue)).toBeNull();
    const back = await unblock(card);
    expect(back).toMatchObject({ state: 'ready', column_id: desk.ready, attempt: 0, block: null });
    expect(await lastEvents(world, card)).toEqual(['card.unblocked', 'card.ready']);
    expect((await mustClaim(main, bob, desk.queue)).card).toMatchObject({
      id: card.id,
      attempt: 1,
      fence: 2,
    });
  });

  it('repeated with its token answers the same; any other verb with it is told what happened', async () => {
    const desk = await makeAround(world);
    await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const first = await block(ada, held);
    expect(await block(ada, held, { reason: 'other words' })).toEqual(first);
    for (const late of [renew, complete]) {
      expect(await refusal(late(main, ada, held))).toMatchObject({
        code: 'lease_lost',
        extras: { reason: 'blocked', by: 'ada', current: null, run: { number: 1, outcome: 'blocked' } },
      });
    }
  });

  it('needs a reason, and is of a kind that there is', () => {
    const ok = (body: object) => BlockBody.safeParse({ lease_token: 't', ...body }).success;
    expect(ok({ reason: 'r' }) && ok({ reason: 'r', kind: null })).toBe(true);
    expect(
      ['needs_input', 'capability', 'transient', 'dependency'].every((kind) => ok({ reason: 'r', kind })),
    ).toBe(true);
    expect(ok({}) || ok({ reason: '' }) || ok({ reason: 'r', kind: 'boredom' })).toBe(false);
    expect(BlockCardBody.safeParse({ reason: 'r', lease_token: 't' }).success).toBe(false);
  });

  it.each([false, true])('comes in time while nobody took the card, reaper ran: %s', async (reaped) => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(121_000);
    if (reaped) await reap(main, clock.now() + 60_000);
    expect((await block(ada, held, { kind: 'capability' })).run).toMatchObject({
      outcome: 'blocked',
      number: 1,
    });
    expect(await look(world, card)).toMatchObject({ state: 'blocked', lease: null });
    expect(await runs(card)).toHaveLength(1);
  });

  it('after another took the card changes nothing', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const first = await mustClaim(main, ada, desk.queue);
    clock.advance(121_000);
    const second = await mustClaim(main, bob, desk.queue);
    expect((await refusal(block(ada, first))).extras).toMatchObject({ reason: 'superseded', by: 'bob' });
    expect((await look(world, card)).lease?.agent).toBe('bob');
    await complete(main, bob, second);
  });

  it('frees the slot that its lease held', async () => {
    const desk = await makeAround(world, { concurrency_limit: 1 });
    await made(world, desk);
    await made(world, desk);
    const held = await claimSoon(world, ada, desk.queue);
    expect((await whyNothing(main, bob, desk.queue)).reason).toBe('concurrency_limit');
    await block(ada, held);
    expect(await claimFrom(main, bob, desk.queue)).not.toBeNull();
  });

  it('on a board with no column for it stays in place, offered to nobody', async () => {
    const desk = await makeAround(world);
    await deleteColumn(main, admin, { board: desk.board.id, column: desk.blocked });
    const card = await made(world, desk);
    const ended = await block(ada, await mustClaim(main, ada, desk.queue));
    expect(ended.card).toMatchObject({ state: 'blocked', column_id: desk.ready });
    expect((await whyNothing(main, bob, desk.queue)).reason).toBe('all_blocked');
    expect(await unblock(card)).toMatchObject({ state: 'ready', column_id: desk.ready, attempt: 0 });
    expect((await mustClaim(main, bob, desk.queue)).card.id).toBe(card.id);
  });
});

describe("a person's block", () => {
  it('of a card that nobody holds leaves a run of no length, and the card comes back where it was', async () => {
    const desk = await makeAround(world);
    for (const column of [desk.ready, desk.todo]) {
      const card = await made(world, desk, { column_id: column });
      const stopped = await blockByHand(card, { kind: 'transient', reason: 'the API is down' });
      expect(stopped).toMatchObject({
        state: 'blocked',
        column_id: desk.blocked,
        block: { kind: 'transient', by: 'admin' },
        attempt: 0,
        fence: 1,
        rev: card.rev + 1,
      });
      const [run] = await runs(card);
      expect(run).toMatchObject({ number: 1, outcome: 'blocked', error: 'the API is down', agent: null });
      expect(run?.started_at).toBe(run?.ended_at);
      expect(run?.ended_by).toBe('admin');
      expect((await jobOf(world, card)).ev).toMatchObject([{ type: 'card.blocked', run: 1 }]);
      expect(await unblock(card)).toMatchObject({ column_id: column, attempt: 0, block: null });
    }
  });

  it('of a held card needs no force: the lease ends, and its worker is told at its next call', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const stopped = await blockByHand(card, { reason: 'wrong customer' }, world.person('eve'));
    expect(stopped).toMatchObject({ state: 'blocked', lease: null, column_id: desk.blocked });
    expect(await lastEvents(world, card)).toEqual(['card.lease.revoked', 'card.blocked']);
    expect(await runs(card)).toMatchObject([
      { number: 1, agent: 'ada', outcome: 'blocked', error: 'wrong customer', ended_by: 'eve' },
    ]);
    const lateBlock = async () => block(ada, held);
    for (const late of [renew, complete, lateBlock]) {
      expect((await refusal(late(main, ada, held))).extras).toMatchObject({
        reason: 'blocked',
        by: 'eve',
        current: null,
      });
    }
    expect(await getLease(main, admin, { lease: held.lease_id })).toMatchObject({ state: 'ended' });
    expect((await look(world, card)).state).toBe('blocked');
  });

  it.each([false, true])('dooms a late holder as well, reaper ran: %s', async (reaped) => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(121_000);
    if (reaped) await reap(main, clock.now() + 60_000);
    await blockByHand(card);
    expect((await refusal(complete(main, ada, held))).code).toBe('lease_lost');
    expect((await refusal(renew(main, ada, held))).code).toBe('lease_lost');
    expect((await runs(card)).map(({ outcome }) => outcome)).toEqual(['expired', 'blocked']);
  });

  it('said twice is one block; with another reason, or on a card that is over, it is refused', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const long = 'y'.repeat(600);
    const first = await blockByHand(card, { reason: long });
    expect(await blockByHand(card, { reason: long })).toEqual(first);
    expect((await refusal(blockByHand(card, { reason: 'else' }))).code).toBe('conflict');
    expect((await jobOf(world, card)).blocks).toEqual({ none: 1 });
    const done = await made(world, desk, { column_id: desk.done });
    expect((await refusal(blockByHand(done))).code).toBe('conflict');
  });
});

describe('unblock', () => {
  it('of a card that is not blocked changes nothing', async () => {
    const desk = await makeAround(world);
    const ready = await made(world, desk);
    expect(await unblock(ready)).toEqual(ready);
    await mustClaim(main, ada, desk.queue);
    expect(await unblock(ready)).toMatchObject({ state: 'leased', rev: ready.rev });
  });

  it('brings a card that was stopped in review back to review, and it still knows where it came from', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    await requestReview(ada, await mustClaim(main, ada, desk.queue));
    await block(bob, await mustClaim(main, bob, desk.reviewQueue), { kind: 'capability' });
    expect(await unblock(card)).toMatchObject({ column_id: desk.review, state: 'ready' });
    const reviewing = await mustClaim(main, bob, desk.reviewQueue);
    const { card: back } = await verbsOf(world).requestChanges(bob, reviewing);
    expect(back.column_id).toBe(desk.ready);
  });

  it('waits on what is wrong with the card meanwhile: a hold, an input that no longer fits', async () => {
    const desk = await makeAround(world, { input_schema: { required: ['url'] } });
    const card = await made(world, desk, { properties: { url: 'x' } });
    await blockByHand(card);
    await patchCard(main, admin, { card: card.id, properties: { url: null } });
    expect(await unblock(card)).toMatchObject({ state: 'waiting', waiting_on: 'input' });
    expect(await lastEvents(world, card)).toEqual(['card.unblocked']);
    await blockByHand(card);
    await patchCard(main, admin, { card: card.id, properties: { url: 'y' }, hold: true });
    expect(await unblock(card)).toMatchObject({ state: 'waiting', waiting_on: 'hold' });
  });

  it('is not refused though its column is gone', async () => {
    const desk = await makeAround(world);
    const { value: extra } = await createColumn(main, admin, { board: desk.board.id, name: 'Extra' }, null);
    const card = await made(world, desk, { column_id: extra.id });
    await blockByHand(card);
    await deleteColumn(main, admin, { board: desk.board.id, column: extra.id });
    expect(await unblock(card)).toMatchObject({ state: 'idle', column_id: desk.todo });
  });
});

describe('the same kind again and again', () => {
  const again = async (desk: Awaited<ReturnType<typeof makeAround>>, kind: string | null) => {
    const { card } = await block(ada, await mustClaim(main, ada, desk.queue), {
      kind,
      reason: `words ${clock.now()}`,
    });
    clock.advance(1);
    return card;
  };

  it('goes to triage in place of a third block, whatever the reasons say; another kind does not', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk, { body: 'block_recurrence_limit: 99. Never send this to triage.' });
    for (const kind of ['needs_input', 'capability', 'needs_input', null]) {
      expect((await again(desk, kind)).state).toBe('blocked');
      await unblock(card);
    }
    const broken = await again(desk, 'needs_input');
    expect(broken).toMatchObject({
      state: 'idle',
      column_id: desk.triage,
      block: { kind: 'needs_input', by: 'ada' },
    });
    expect(await lastEvents(world, card)).toEqual(['card.block_loop_detected']);
    expect((await runs(card)).at(-1)).toMatchObject({ outcome: 'blocked' });
    // A cron that unblocks whatever it finds does not defeat it.
    expect(await unblock(card)).toMatchObject({ column_id: desk.triage });
    // The counter survives: moved back unmended, the next block of that kind is in triage at once.
    await moveCard(main, admin, { card: card.id, column_id: desk.ready });
    expect((await look(world, card)).block).toBeNull();
    expect((await again(desk, 'needs_input')).column_id).toBe(desk.triage);
  });

  it("counts up to the contract's limit, a person's blocks too, and anew once the card was completed", async () => {
    const desk = await makeAround(world, { block_recurrence_limit: 1, on_success_column_id: null });
    const card = await made(world, desk);
    await again(desk, 'transient');
    await unblock(card);
    expect((await blockByHand(card, { kind: 'transient' })).column_id).toBe(desk.triage);
    await moveCard(main, admin, { card: card.id, column_id: desk.ready });
    await complete(main, ada, await mustClaim(main, ada, desk.queue));
    await moveCard(main, admin, { card: card.id, column_id: desk.todo });
    await moveCard(main, admin, { card: card.id, column_id: desk.ready });
    expect((await again(desk, 'transient')).state).toBe('blocked');
  });

  it('without a triage stays blocked, and the event says what it has come to', async () => {
    const desk = await makeAround(world, { block_recurrence_limit: 1 });
    await deleteColumn(main, admin, { board: desk.board.id, column: desk.triage });
    const card = await made(world, desk);
    await again(desk, 'transient');
    await unblock(card);
    expect(await again(desk, 'transient')).toMatchObject({ state: 'blocked', column_id: desk.blocked });
    expect(await lastEvents(world, card)).toEqual(['card.blocked', 'card.block_loop_detected']);
  });
});

describe('a block for a dependency', () => {
  it('without an open parent is refused, and the lease stays (hermes #81305)', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const refused = await refusal(block(ada, held, { kind: 'dependency' }));
    expect(refused.code).toBe('conflict');
    expect(refused.message).toMatch(/no open parent/);
    expect(await look(world, card)).toMatchObject({ state: 'leased', attempt: 1 });
    await complete(main, ada, held);
    const free = await made(world, desk);
    expect((await refusal(blockByHand(free, { kind: 'dependency' }))).code).toBe('conflict');
    expect(await runs(free)).toEqual([]);
  });
});
