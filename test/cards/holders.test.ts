import { describe, expect, it } from 'vitest';
import { readRun } from '../../shared/runs.ts';
import { assignCard } from '../../shared/verbs/assign-card.ts';
import { holdCard } from '../../shared/verbs/hold-card.ts';
import { reclaimCard } from '../../shared/verbs/reclaim-card.ts';
import { redriveCard } from '../../shared/verbs/redrive-card.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { requestCancel } from '../../shared/verbs/request-cancel.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { unholdCard } from '../../shared/verbs/unhold-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { PatchCardBody } from '../../shared/schemas/cards.ts';
import { refusal } from '../boards/support/board.ts';
import { claimFrom, complete, fail, mustClaim, renew, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { jobOf, lastEvents, look, made, makeDesk, setContract } from './support/cards.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');

async function heldCard(contract: object = {}) {
  const desk = await makeDesk(world, contract);
  const card = await made(world, desk);
  return { desk, card, held: await mustClaim(main, ada, desk.queue) };
}

describe('request cancel', () => {
  it('is heard at the next heartbeat, with the whole reason however long, and takes nothing away', async () => {
    const { card, held } = await heldCard();
    const reason = 'é'.repeat(500);
    const asked = await requestCancel(main, admin, { card: card.id, reason });
    expect(asked).toMatchObject({ state: 'leased', rev: 1, cancel_requested: { by: 'admin', reason } });
    expect(await lastEvents(world, card)).toEqual(['card.cancel_requested']);
    const { signals } = await renew(main, ada, held);
    expect(signals.cancel_requested).toMatchObject({ by: 'admin', reason });
    await requestCancel(main, admin, { card: card.id, reason: 'short' });
    expect((await renew(main, ada, held)).signals.cancel_requested).toMatchObject({ reason: 'short' });
    expect((await complete(main, ada, held)).card).toMatchObject({ state: 'done', cancel_requested: null });
  });

  it('of a card that nobody holds is a conflict', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    expect((await refusal(requestCancel(main, admin, { card: card.id }))).code).toBe('conflict');
  });

  it('does not reach the next holder', async () => {
    const { desk, card, held } = await heldCard();
    await requestCancel(main, admin, { card: card.id, reason: 'stop' });
    await fail(main, ada, held, { kind: 'rate_limited', retry_after_seconds: 0 });
    clock.advance(1);
    expect((await look(world, card)).cancel_requested).toBeNull();
    const next = await mustClaim(main, bob, desk.queue);
    expect((await renew(main, bob, next)).signals.cancel_requested).toBeNull();
  });
});

describe('reclaim', () => {
  it('ends the lease, keeps the attempt spent and puts the card back in its queue', async () => {
    const { desk, card, held } = await heldCard();
    const reclaimed = await reclaimCard(main, admin, { card: card.id, reason: 'stuck' });
    expect(reclaimed).toMatchObject({ state: 'ready', attempt: 1, lease: null, abandoned_by: null });
    expect(await lastEvents(world, card)).toEqual(['card.lease.revoked']);
    expect(await readRun(main, card.id, 1)).toMatchObject({
      outcome: 'reclaimed',
      why: 'revoked',
      by: 'admin',
      error: 'stuck',
    });
    expect(await refusal(renew(main, ada, held))).toMatchObject({
      code: 'lease_lost',
      extras: { reason: 'revoked', by: 'admin' },
    });
    expect(await mustClaim(main, bob, desk.queue)).toMatchObject({ attempt: 2, fence: 2 });
  });

  it('of an expired lease keeps its late holder from coming back; of no lease it is a conflict', async () => {
    const { card, held } = await heldCard();
    clock.advance(3_600_000);
    expect((await reclaimCard(main, admin, { card: card.id, reason: 'gone' })).state).toBe('ready');
    expect((await refusal(complete(main, ada, held))).code).toBe('lease_lost');
    expect((await refusal(reclaimCard(main, admin, { card: card.id, reason: 'x' }))).code).toBe('conflict');
  });

  it('and a completion at once: one of them wins, and the card tells which', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { card, held } = await heldCard();
      const [reclaimed, completed] = await Promise.allSettled([
        reclaimCard(world.engine(), admin, { card: card.id, reason: 'r' }),
        complete(world.engine(), ada, held),
      ]);
      expect([reclaimed.status, completed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      const { state } = await look(world, card);
      expect(state).toBe(completed.status === 'fulfilled' ? 'done' : 'ready');
      expect((await jobOf(world, card)).sequence).toBe(3);
    }
  });
});

describe('assign', () => {
  it('gives a card to one agent, and with null to anyone again', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    expect(await assignCard(main, admin, { card: card.id, assignee: 'bob' })).toMatchObject({
      assignee: 'bob',
      rev: 2,
    });
    expect(await lastEvents(world, card)).toEqual(['card.assigned']);
    expect((await whyNothing(main, ada, desk.queue)).reason).toBe('not_yours');
    await assignCard(main, admin, { card: card.id, assignee: null });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });

  it('of a held card is refused; by force the worker loses it and the new assignee is offered it', async () => {
    const { desk, card, held } = await heldCard();
    expect((await refusal(assignCard(main, admin, { card: card.id, assignee: 'bob' }))).code).toBe(
      'lease_held',
    );
    const taken = await assignCard(main, admin, {
      card: card.id,
      assignee: 'bob',
      force: true,
      reason: 'bob knows this',
    });
    expect(taken).toMatchObject({ state: 'ready', assignee: 'bob', attempt: 1, rev: 2 });
    expect(await lastEvents(world, card)).toEqual(['card.lease.revoked', 'card.assigned']);
    expect((await refusal(complete(main, ada, held))).extras).toMatchObject({ reason: 'revoked' });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    expect((await mustClaim(main, bob, desk.queue)).card.id).toBe(card.id);
  });

  it('of an expired hold needs no force', async () => {
    const { card } = await heldCard();
    clock.advance(3_600_000);
    const assigned = await assignCard(main, admin, { card: card.id, assignee: 'bob' });
    expect(assigned).toMatchObject({ state: 'ready', assignee: 'bob' });
    expect(await readRun(main, card.id, 1)).toMatchObject({ outcome: 'expired' });
  });
});

describe('hold', () => {
  it('keeps a card from being offered until it is let go', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await holdCard(main, admin, { card: card.id, reason: 'think first' });
    expect(held).toMatchObject({ state: 'waiting', waiting_on: 'hold', hold: true });
    expect((await jobOf(world, card)).ev).toMatchObject([{ type: 'card.held', reason: 'think first' }]);
    expect(await holdCard(main, admin, { card: card.id })).toEqual(held);
    expect((await whyNothing(main, ada, desk.queue)).reason).toBe('all_blocked');
    expect(await unholdCard(main, admin, { card: card.id })).toMatchObject({ state: 'ready', hold: false });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });

  it('of a held card lets its worker finish; of a late one takes its way back', async () => {
    const { card, held } = await heldCard();
    expect((await holdCard(main, admin, { card: card.id })).state).toBe('leased');
    expect((await complete(main, ada, held)).card.state).toBe('done');
    const late = await heldCard();
    clock.advance(3_600_000);
    await reap(main, clock.now() + 60_000);
    await holdCard(main, admin, { card: late.card.id });
    expect((await refusal(renew(main, ada, late.held))).code).toBe('lease_lost');
    expect((await refusal(complete(main, ada, late.held))).code).toBe('lease_lost');
  });
});

describe('redrive', () => {
  it('gives a dead card its whole budget again, keeps its history, and it may die again (swarmclaw #102, pg-boss PR 874)', async () => {
    const desk = await makeDesk(world, { max_attempts: 2, backoff_seconds: [0], backoff_jitter: 0 });
    const card = await made(world, desk);
    const exhaust = async () => {
      for (let n = 0; n < 2; n += 1) {
        clock.advance(1);
        await fail(main, ada, await mustClaim(main, ada, desk.queue));
      }
    };
    await exhaust();
    expect(await look(world, card)).toMatchObject({ state: 'dead', attempt: 2 });
    expect(PatchCardBody.safeParse({ attempts: 0 }).success).toBe(false);
    const redriven = await redriveCard(main, admin, { card: card.id, reason: 'fixed the proxy' });
    expect(redriven).toMatchObject({ state: 'ready', column_id: desk.ready, attempt: 0, fence: 2 });
    expect((await jobOf(world, card)).ev).toMatchObject([
      { type: 'card.redriven', by: { id: 'admin' }, reason: 'fixed the proxy' },
      { type: 'card.ready' },
    ]);
    expect(await readRun(main, card.id, 1)).toMatchObject({ outcome: 'failed', attempt: 1 });
    await exhaust();
    expect(await look(world, card)).toMatchObject({ state: 'dead', attempt: 2, fence: 4 });
  });

  it('twice at once is one redrive and one conflict; of a card that is not dead it is a conflict', async () => {
    const desk = await makeDesk(world, { max_attempts: 1 });
    const card = await made(world, desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    const both = await Promise.allSettled([
      redriveCard(world.engine(), admin, { card: card.id }),
      redriveCard(world.engine(), admin, { card: card.id }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await refusal(redriveCard(main, admin, { card: card.id }))).code).toBe('conflict');
  });

  it('from the failure column goes back to the queue that the card died in', async () => {
    const desk = await makeDesk(world);
    await setContract(world, desk.board, { max_attempts: 1, on_failure_column_id: desk.todo });
    clock.advance(3_000);
    const card = await made(world, desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    expect(await look(world, card)).toMatchObject({ state: 'dead', column_id: desk.todo });
    expect(await redriveCard(main, admin, { card: card.id })).toMatchObject({
      state: 'ready',
      column_id: desk.ready,
    });
  });
});

describe('reopen', () => {
  it('sends a done card back to the queue that it came from, at the bottom, its output still shown', async () => {
    const { desk, card, held } = await heldCard();
    await complete(main, ada, held, { output: { url: 'u' } });
    const other = await made(world, desk);
    clock.advance(1);
    const reopened = await reopenCard(main, admin, { card: card.id, reason: 'not good enough' });
    expect(reopened).toMatchObject({
      state: 'ready',
      column_id: desk.ready,
      attempt: 0,
      output: { url: 'u' },
    });
    expect(await lastEvents(world, card)).toEqual(['card.reopened']);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(other.id);
    expect(await mustClaim(main, ada, desk.queue)).toMatchObject({
      card: { id: card.id },
      attempt: 1,
      fence: 2,
    });
  });

  it('goes where it is told, but not among what is done; of an open card it is a conflict', async () => {
    const { desk, card, held } = await heldCard();
    expect((await refusal(reopenCard(main, admin, { card: card.id }))).code).toBe('conflict');
    await complete(main, ada, held);
    const into = async (column_id: string) => reopenCard(main, admin, { card: card.id, column_id });
    expect((await refusal(into(desk.done))).code).toBe('conflict');
    expect(await into(desk.todo)).toMatchObject({ state: 'idle', column_id: desk.todo });
  });

  it('of a card that was done in place leaves it in place', async () => {
    const { desk, card, held } = await heldCard({ on_success_column_id: null });
    await complete(main, ada, held);
    expect(await look(world, card)).toMatchObject({ state: 'done', column_id: desk.ready });
    expect(await reopenCard(main, admin, { card: card.id })).toMatchObject({
      state: 'ready',
      column_id: desk.ready,
    });
  });
});

describe('a person’s edit and a claim at once', () => {
  it('both happen, in one order or the other', async () => {
    const desk = await makeDesk(world);
    for (let n = 0; n < 4; n += 1) {
      const card = await made(world, desk);
      const [, held] = await Promise.all([
        patchCard(world.engine(), admin, { card: card.id, title: 'edited', priority: n % 10 }),
        mustClaim(world.engine(), ada, desk.queue),
      ]);
      const now = await look(world, card);
      expect(now).toMatchObject({ state: 'leased', title: 'edited', priority: n % 10, fence: 1, rev: 2 });
      await complete(main, ada, held);
    }
  });
});
