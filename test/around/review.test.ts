import { describe, expect, it } from 'vitest';
import { RequestChangesBody, RequestReviewBody } from '../../shared/schemas/reviews.ts';
import { timerKey } from '../../shared/store/keys.ts';
import { assignCard } from '../../shared/verbs/assign-card.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { deleteColumn } from '../../shared/verbs/delete-column.ts';
import { getBoard } from '../../shared/verbs/get-board.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { promoteCard } from '../../shared/verbs/promote-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reopenReview } from '../../shared/verbs/reopen-review.ts';
import { refusal } from '../boards/support/board.ts';
import { jobOf, lastEvents, look, made } from '../cards/support/cards.ts';
import { claimFrom, complete, fail, mustClaim, renew, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { makeAround, verbsOf, type Around } from './support/desk.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const carl = world.agent('carl');
const { requestReview, requestChanges, completeByHand, runs } = verbsOf(world);
const DAY_MS = 86_400_000;

/** A card that ada has done and bob sends back. */
async function sentBack(desk: Around, body: object = {}) {
  await made(world, desk, body);
  await requestReview(ada, await mustClaim(main, ada, desk.queue));
  return (await requestChanges(bob, await mustClaim(main, bob, desk.reviewQueue))).card;
}

describe('a request for review', () => {
  it('takes the card to review with what its worker says of it; neither a block nor an attempt spent', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk, { assignee: 'ada' });
    const held = await mustClaim(main, ada, desk.queue);
    const metadata = { changed_files: ['a.ts'] };
    const asked = await requestReview(ada, held, { summary: 'All tests pass', metadata });
    expect(asked.run).toMatchObject({ outcome: 'review_requested', summary: 'All tests pass', metadata });
    expect(asked.card).toMatchObject({
      state: 'ready',
      column_id: desk.review,
      assignee: null,
      attempt: 0,
      block: null,
      lease: null,
      rev: card.rev,
    });
    expect((await jobOf(world, card)).ev).toMatchObject([
      { type: 'card.review_requested', lease: { run: 1 } },
    ]);
    expect(await requestReview(ada, held)).toEqual(asked);
    expect((await refusal(renew(main, ada, held))).extras).toMatchObject({ reason: 'review_requested' });
    expect((await mustClaim(main, bob, desk.reviewQueue)).card.id).toBe(card.id);
  });

  it('for a reviewer is offered to that one only', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    await requestReview(ada, await mustClaim(main, ada, desk.queue), { reviewer: 'bob' });
    expect((await look(world, card)).assignee).toBe('bob');
    expect((await whyNothing(main, carl, desk.reviewQueue)).reason).toBe('not_yours');
    expect((await mustClaim(main, bob, desk.reviewQueue)).card.id).toBe(card.id);
  });

  it('is never for its own implementer where the contract says so, and a completion is the approval', async () => {
    const desk = await makeAround(world, {}, { exclude_previous_holder: true });
    const card = await made(world, desk);
    await requestReview(ada, await mustClaim(main, ada, desk.queue));
    expect((await whyNothing(main, ada, desk.reviewQueue)).reason).toBe('not_yours');
    expect((await refusal(claimCard(main, ada, { card: card.id }, null))).code).toBe('not_claimable');
    const approved = await complete(main, bob, await mustClaim(main, bob, desk.reviewQueue), {
      summary: 'Good',
    });
    expect(approved.card).toMatchObject({ state: 'done', column_id: desk.done, summary: 'Good' });
    expect((await runs(card)).map(({ agent, outcome }) => [agent, outcome])).toEqual([
      ['ada', 'review_requested'],
      ['bob', 'completed'],
    ]);
  });

  it('in review itself, or with no column for it, is refused, and the lease stays', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk, { column_id: desk.review });
    const reviewing = await mustClaim(main, bob, desk.reviewQueue);
    expect((await refusal(requestReview(bob, reviewing))).code).toBe('conflict');
    await complete(main, bob, reviewing);
    const other = await made(world, desk);
    await deleteColumn(main, admin, { board: desk.board.id, column: desk.review });
    const held = await mustClaim(main, ada, desk.queue);
    expect((await refusal(requestReview(ada, held))).code).toBe('conflict');
    expect((await look(world, other)).state).toBe('leased');
    expect((await look(world, card)).state).toBe('done');
  });

  it('must say what is to be reviewed, and a request for changes what is to change', () => {
    const review = (more: object) => RequestReviewBody.safeParse({ lease_token: 't', ...more }).success;
    expect([review({}), review({ summary: ' ' }), review({ summary: 's' })]).toEqual([false, false, true]);
    const changes = (more: object) => RequestChangesBody.safeParse({ lease_token: 't', ...more }).success;
    expect([changes({}), changes({ reason: '' }), changes({ reason: 'r' })]).toEqual([false, false, true]);
  });
});

describe('a request for changes', () => {
  it('goes back to the implementer with the reason; again and again, no attempt is spent', async () => {
    const desk = await makeAround(world, { max_attempts: 1 }, { max_attempts: 1 });
    const card = await made(world, desk);
    for (let round = 1; round <= 3; round += 1) {
      await requestReview(ada, await mustClaim(main, ada, desk.queue));
      const reviewing = await mustClaim(main, bob, desk.reviewQueue);
      const back = await requestChanges(bob, reviewing, { reason: `round ${round}` });
      expect(back.run).toMatchObject({ outcome: 'changes_requested', error: `round ${round}` });
      expect(back.card).toMatchObject({
        state: 'ready',
        column_id: desk.ready,
        attempt: 0,
        assignee: 'ada',
        reserved_until: new Date(clock.now() + DAY_MS).toISOString(),
      });
      expect(await requestChanges(bob, reviewing)).toEqual(back);
    }
    const event = (await jobOf(world, card)).ev;
    expect(event).toMatchObject([
      { type: 'card.changes_requested', reason: 'round 3', lease: { agent: 'bob' } },
    ]);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });

  it('keeps the card for its implementer for a while, then anybody has it, with the reaper off', async () => {
    const desk = await makeAround(world, { changes_reserved_seconds: 600 });
    const card = await sentBack(desk);
    clock.advance(599_000);
    const nothing = await whyNothing(main, carl, desk.queue);
    expect(nothing).toMatchObject({
      reason: 'not_yours',
      next_available_at: card.reserved_until,
    });
    expect((await refusal(claimCard(main, carl, { card: card.id }, null))).code).toBe('not_claimable');
    clock.advance(1_000);
    expect((await look(world, card)).assignee).toBeNull();
    const held = await mustClaim(world.engine(), carl, desk.queue);
    expect(held.card).toMatchObject({ id: card.id, assignee: null, reserved_until: null });
    const timer = await main.store.get(timerKey(card.id, 'RESERVED'));
    expect(timer).toBeUndefined();
  });

  it("is anybody's by name as well once the time is over, and by the reaper", async () => {
    const desk = await makeAround(world, { changes_reserved_seconds: 60 });
    const named = await sentBack(desk);
    const reaped = await sentBack(await makeAround(world, { changes_reserved_seconds: 60 }));
    clock.advance(60_000);
    const { value } = await claimCard(main, carl, { card: named.id }, null);
    expect(value.card.assignee).toBeNull();
    await reap(main, clock.now() + 60_000);
    expect(await jobOf(world, reaped)).toMatchObject({ state: 'ready' });
    expect((await jobOf(world, reaped)).assignee).toBeUndefined();
  });

  it("ends while the implementer is at it: what it gives back then is anybody's", async () => {
    const desk = await makeAround(world, { changes_reserved_seconds: 60, lease_ttl_seconds: 600 });
    const card = await sentBack(desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(61_000);
    expect(await claimFrom(main, carl, desk.queue)).toBeNull();
    expect((await look(world, card)).lease?.agent).toBe('ada');
    await renew(main, ada, held);
    await fail(main, ada, held, { retry_after_seconds: 0 });
    clock.advance(1_000);
    expect((await mustClaim(main, carl, desk.queue)).card.id).toBe(card.id);
  });

  it('and the completed work after it is not kept for anybody in the next stage', async () => {
    const desk = await makeAround(world);
    const card = await sentBack(desk);
    await complete(main, ada, await mustClaim(main, ada, desk.queue), { column_id: desk.review });
    expect(await look(world, card)).toMatchObject({ assignee: null, reserved_until: null });
    expect((await mustClaim(main, carl, desk.reviewQueue)).card.id).toBe(card.id);
  });

  it.each([
    ['assigned anew', async (id: string) => assignCard(main, admin, { card: id, assignee: 'carl' })],
    ['promoted', async (id: string) => promoteCard(main, admin, { card: id })],
    ['unassigned', async (id: string) => assignCard(main, admin, { card: id, assignee: null })],
  ])('is over as soon as a person has the card %s', async (_, change) => {
    const desk = await makeAround(world);
    const card = await sentBack(desk);
    await change(card.id);
    expect((await look(world, card)).reserved_until).toBeNull();
    expect((await mustClaim(main, carl, desk.queue)).card.id).toBe(card.id);
  });

  it("assigned by a person to the same agent for good, stays that agent's", async () => {
    const desk = await makeAround(world, { changes_reserved_seconds: 60 });
    const card = await sentBack(desk);
    await assignCard(main, admin, { card: card.id, assignee: 'ada' });
    clock.advance(61_000);
    expect(await claimFrom(main, carl, desk.queue)).toBeNull();
    expect(await claimFrom(main, carl, desk.queue)).toBeNull();
    expect((await look(world, card)).assignee).toBe('ada');
  });

  it('keeps nothing for a worker that names itself to nobody: a day is long', async () => {
    const desk = await makeAround(world);
    const nameless = world.person('fleet', { scopes: ['worker'] });
    const card = await made(world, desk);
    await requestReview(nameless, await mustClaim(main, nameless, desk.queue));
    const back = await requestChanges(bob, await mustClaim(main, bob, desk.reviewQueue));
    expect(back.card).toMatchObject({ assignee: null, reserved_until: null, column_id: desk.ready });
    expect((await mustClaim(main, nameless, desk.queue)).card.id).toBe(card.id);
  });

  it('knows the implementer by the name of its claim, though its later calls name nobody', async () => {
    const desk = await makeAround(world);
    await made(world, desk);
    const fleet = world.person('fleet', { scopes: ['worker'] });
    const held = await mustClaim(main, { ...fleet, agent: 'writer-1' }, desk.queue);
    await requestReview(fleet, held);
    const back = await requestChanges(bob, await mustClaim(main, bob, desk.reviewQueue));
    expect(back.card).toMatchObject({ assignee: 'writer-1', reserved_until: expect.any(String) });
  });

  it('leaves lists, counts and the column itself as if its timer were not there', async () => {
    const desk = await makeAround(world);
    const card = await sentBack(desk);
    const listed = await listCards(main, admin, { board: desk.board.id, column: desk.ready, limit: 1 });
    expect(listed.items.map(({ id }) => id)).toEqual([card.id]);
    expect(listed.next_cursor).toBeNull();
    const ready = (await getBoard(main, admin, { board: desk.board.id })).columns.find(
      ({ id }) => id === desk.ready,
    );
    expect(ready?.counts).toMatchObject({ ready: 1, leased: 0, waiting: 0 });
    const held = await mustClaim(main, ada, desk.queue);
    expect(
      (await refusal(deleteColumn(main, admin, { board: desk.board.id, column: desk.ready }))).code,
    ).toBe('conflict');
    await complete(main, ada, held);
    expect((await whyNothing(main, ada, desk.queue)).reason).toBe('empty');
  });

  it('of a card that was taken up again after Done goes to where work is done, not to Done', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk, { column_id: desk.done });
    await moveCard(main, admin, { card: card.id, column_id: desk.review });
    const back = await requestChanges(bob, await mustClaim(main, bob, desk.reviewQueue));
    expect(back.card).toMatchObject({ column_id: desk.ready, state: 'ready' });
  });

  it('with nowhere to go back to is refused, and the lease stays', async () => {
    const desk = await makeAround(world);
    await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    expect((await refusal(requestChanges(ada, held))).code).toBe('conflict');
    await complete(main, ada, held);
  });

  it('by thirty claimers at the end of the reservation gives one lease', async () => {
    const desk = await makeAround(world, { changes_reserved_seconds: 60 });
    const card = await sentBack(desk);
    clock.advance(60_000);
    const claims = await Promise.all(
      Array.from({ length: 30 }, async (_, at) =>
        claimFrom(world.engine(), world.agent(`w${at}`), desk.queue),
      ),
    );
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(await jobOf(world, card)).toMatchObject({ state: 'leased', attempt: 1 });
  });
});

describe('a person in review', () => {
  it('approves by completing, and sends back by reopening the review', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    await requestReview(ada, await mustClaim(main, ada, desk.queue));
    const back = await reopenReview(main, world.person('eve'), { card: card.id, reason: 'Add a test' });
    expect(back).toMatchObject({ column_id: desk.ready, assignee: 'ada', state: 'ready', attempt: 0 });
    expect(await lastEvents(world, card)).toEqual(['card.changes_requested']);
    expect((await runs(card)).at(-1)).toMatchObject({
      outcome: 'changes_requested',
      error: 'Add a test',
      agent: null,
      ended_by: 'eve',
    });
    await requestReview(ada, await mustClaim(main, ada, desk.queue));
    expect(await completeByHand(card, { summary: 'Fine' })).toMatchObject({
      state: 'done',
      column_id: desk.done,
      summary: 'Fine',
    });
  });

  it('does not reopen what a reviewer is at, nor what is not in review', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    expect((await refusal(reopenReview(main, admin, { card: card.id }))).code).toBe('conflict');
    await requestReview(ada, await mustClaim(main, ada, desk.queue));
    await mustClaim(main, bob, desk.reviewQueue);
    expect((await refusal(reopenReview(main, admin, { card: card.id }))).code).toBe('lease_held');
  });
});
