import { describe, expect, it } from 'vitest';
import { readRun } from '../../shared/runs.ts';
import { MoveCardBody } from '../../shared/schemas/cards.ts';
import { lanePosition } from '../../shared/model/settle.ts';
import { RANK_MAX } from '../../shared/policy.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { refusal } from '../boards/support/board.ts';
import { putColumn } from '../support/queue.ts';
import { claimFrom, complete, fail, mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { jobOf, lastEvents, look, made, makeDesk, setContract, type Desk } from './support/cards.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock, meter } = world;
const ada = world.agent('ada');
const move = async (card: { id: string }, body: object) => {
  clock.advance(1);
  return moveCard(main, admin, { ...MoveCardBody.parse(body), card: card.id });
};
const titles = async (desk: Desk, column = desk.ready) =>
  (await listCards(main, admin, { board: desk.board.id, column, limit: 100 })).items.map(
    ({ title }) => title,
  );

async function threeCards(desk: Desk, body: object = {}) {
  const a = await made(world, desk, { title: 'a', ...body });
  const b = await made(world, desk, { title: 'b', ...body });
  const c = await made(world, desk, { title: 'c', ...body });
  return { a, b, c };
}

describe('a move within the column', () => {
  it('puts a card before or after another, to the top and to the bottom, and claims follow', async () => {
    const desk = await makeDesk(world);
    const { a, b, c } = await threeCards(desk);
    await move(c, { before: a.id });
    expect(await titles(desk)).toEqual(['c', 'a', 'b']);
    await move(c, { after: a.id });
    expect(await titles(desk)).toEqual(['a', 'c', 'b']);
    await move(b, { top: true });
    expect(await titles(desk)).toEqual(['b', 'a', 'c']);
    await move(b, { bottom: true });
    expect(await titles(desk)).toEqual(['a', 'c', 'b']);
    expect(await lastEvents(world, b)).toEqual(['card.moved']);
    const claimed = [];
    for (let n = 0; n < 3; n += 1) claimed.push((await mustClaim(main, ada, desk.queue)).card.title);
    expect(claimed).toEqual(['a', 'c', 'b']);
  });

  it('after the last card leaves room below for the cards that come later', async () => {
    const desk = await makeDesk(world);
    const { a, c } = await threeCards(desk);
    await move(a, { after: c.id });
    await made(world, desk, { title: 'd' });
    expect(await titles(desk)).toEqual(['b', 'c', 'a', 'd']);
  });

  it('over a card of another priority takes that priority; at the top it goes next', async () => {
    const desk = await makeDesk(world);
    const { a, b, c } = await threeCards(desk);
    const high = await made(world, desk, { title: 'high', priority: 9 });
    const low = await made(world, desk, { title: 'low', priority: 1 });
    expect(await move(c, { after: low.id })).toMatchObject({ priority: 1, rev: 2 });
    expect(await lastEvents(world, c)).toEqual(['card.moved', 'card.reprioritized']);
    expect(await move(b, { before: high.id })).toMatchObject({ priority: 9 });
    expect(await titles(desk)).toEqual(['b', 'high', 'a', 'low', 'c']);
    expect(await move(a, { top: true })).toMatchObject({ priority: 9 });
    expect(await titles(desk)).toEqual(['a', 'b', 'high', 'low', 'c']);
    expect(await move(high, { top: true })).toMatchObject({ priority: 9 });
    expect(await titles(desk)).toEqual(['high', 'a', 'b', 'low', 'c']);
    expect(await move(low, { bottom: true })).toMatchObject({ priority: 1 });
  });

  it('orders the cards of a plain column just as well', async () => {
    const desk = await makeDesk(world);
    const { a, b, c } = await threeCards(desk, { column_id: desk.todo });
    await move(c, { top: true });
    await move(a, { after: b.id });
    expect(await titles(desk, desk.todo)).toEqual(['c', 'b', 'a']);
  });

  it('of a held card needs no force: the hold goes on, and its place counts when it comes back', async () => {
    const desk = await makeDesk(world);
    const { a, b } = await threeCards(desk);
    const held = await mustClaim(main, ada, desk.queue);
    const moved = await move(a, { after: b.id });
    expect(moved).toMatchObject({ state: 'leased', lease: { id: held.lease_id } });
    await renew(main, ada, held);
    await fail(main, ada, held, { kind: 'rate_limited', retry_after_seconds: 0 });
    clock.advance(1);
    const claimed = [];
    for (let n = 0; n < 3; n += 1) claimed.push((await mustClaim(main, ada, desk.queue)).card.title);
    expect(claimed).toEqual(['b', 'a', 'c']);
  });

  it('keeps state and attempts', async () => {
    const desk = await makeDesk(world, { max_attempts: 1 });
    const { a, b } = await threeCards(desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    expect(await move(a, { after: b.id })).toMatchObject({ state: 'dead', attempt: 1 });
    expect(await claimFrom(main, ada, desk.queue)).toMatchObject({ card: { id: b.id } });
  });

  it('by ten people at once leaves every card in its place and none lost', async () => {
    const desk = await makeDesk(world);
    const { a, b, c } = await threeCards(desk);
    const bodies = [
      { top: true as const },
      { bottom: true as const },
      { before: b.id },
      { after: c.id },
      { after: b.id },
    ];
    const moves = [...bodies, ...bodies].map(async (body) =>
      moveCard(world.engine(), admin, { card: a.id, ...body }),
    );
    await Promise.all(moves);
    expect((await titles(desk)).toSorted()).toEqual(['a', 'b', 'c']);
    const job = await jobOf(world, a);
    expect(job.rev).toBe(11);
    expect(lanePosition(job)).toEqual({ lane: job.lane, pos: job.pos });
  });

  it('again and again to one place keeps the ranks short and the order right', async () => {
    const desk = await makeDesk(world);
    const { a } = await threeCards(desk, { column_id: desk.todo });
    const order: string[] = [];
    for (let at = 0; at < 90; at += 1) {
      const card = await made(world, desk, { title: `n${at}`, column_id: desk.todo });
      await moveCard(main, admin, { card: card.id, after: a.id });
      order.unshift(card.title);
    }
    const first = await listCards(main, admin, { board: desk.board.id, column: desk.todo, limit: 100 });
    expect(first.items.map(({ title }) => title)).toEqual(['a', ...order, 'b', 'c'].slice(0, 100));
    const jobs = await Promise.all(first.items.map(async (card) => jobOf(world, card)));
    expect(Math.max(...jobs.map(({ rank }) => rank.length))).toBeLessThanOrEqual(RANK_MAX);
    expect(jobs.every((job) => job.pos === lanePosition(job).pos)).toBe(true);
  }, 120_000);

  it('costs 3 write units, within and out of the column', async () => {
    const desk = await makeDesk(world);
    const { a, b } = await threeCards(desk, { body: 'x'.repeat(4_096) });
    meter.reset();
    await move(b, { before: a.id });
    expect(meter.writeUnits).toBe(3);
    meter.reset();
    await move(b, { column_id: desk.todo });
    expect(meter.writeUnits).toBe(3);
  });

  it('beside itself, a card elsewhere or one that is not there is refused', async () => {
    const desk = await makeDesk(world);
    const { a } = await threeCards(desk);
    const elsewhere = await made(world, desk, { column_id: desk.todo });
    const abroad = await made(world, await makeDesk(world));
    expect((await refusal(move(a, { before: a.id }))).code).toBe('conflict');
    expect((await refusal(move(a, { before: elsewhere.id }))).code).toBe('conflict');
    expect((await refusal(move(a, { before: abroad.id }))).code).toBe('not_found');
    expect((await refusal(move(a, { before: 'crd_nope' }))).code).toBe('not_found');
    expect((await look(world, a)).rev).toBe(1);
  });

  it('is refused in a column whose cards age', async () => {
    const desk = await makeDesk(world, { aging_seconds: 60 });
    const { a, b } = await threeCards(desk);
    expect((await refusal(move(a, { after: b.id }))).code).toBe('conflict');
    expect((await move(a, {})).rev).toBe(2);
  });
});

describe('a move to another column', () => {
  it('goes to its bottom and begins a new stage', async () => {
    const desk = await makeDesk(world);
    const idle = await made(world, desk, { title: 'idle', column_id: desk.todo });
    await made(world, desk, { title: 'first' });
    const moved = await move(idle, { column_id: desk.ready });
    expect(moved).toMatchObject({ state: 'ready', column_id: desk.ready, attempt: 0, rev: 2 });
    expect(await titles(desk)).toEqual(['first', 'idle']);
    expect(await titles(desk, desk.todo)).toEqual([]);
  });

  it('into the done column makes the card done, out of it opens the card again', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    expect(await move(card, { column_id: desk.done })).toMatchObject({ state: 'done' });
    expect(await lastEvents(world, card)).toEqual(['card.moved']);
    expect(await move(card, { column_id: desk.ready })).toMatchObject({ state: 'ready', attempt: 0 });
    expect(await lastEvents(world, card)).toEqual(['card.reopened']);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });

  it('into a queue holds the card to that queue’s input', async () => {
    const desk = await makeDesk(world, { input_schema: { type: 'object', required: ['url'] } });
    const card = await made(world, desk, { column_id: desk.todo });
    expect(await move(card, { column_id: desk.ready })).toMatchObject({
      state: 'waiting',
      waiting_on: 'input',
    });
    expect(await move(card, { column_id: desk.todo })).toMatchObject({ state: 'idle', waiting_detail: null });
  });

  it('takes a dead card out of its death, and an open queue takes no closing column’s place', async () => {
    const desk = await makeDesk(world, { max_attempts: 1 });
    const card = await made(world, desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    const closing = await putColumn(world, desk.board.id, 'Old', 'plain', {}, { closing_at: clock.now() });
    expect((await refusal(move(card, { column_id: closing.column_id }))).code).toBe('conflict');
    expect((await look(world, card)).state).toBe('dead');
    expect(await move(card, { column_id: desk.todo })).toMatchObject({ state: 'idle', attempt: 1 });
    expect(await move(card, { column_id: desk.ready })).toMatchObject({ state: 'ready', attempt: 0 });
  });

  it('of a held card is refused without force, naming the holder', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const refused = await refusal(move(card, { column_id: desk.todo }));
    expect(refused).toMatchObject({
      code: 'lease_held',
      extras: { holder: 'ada', expires_at: held.expires_at },
    });
    expect(MoveCardBody.safeParse({ column_id: desk.todo, force: true }).success).toBe(false);
    await renew(main, ada, held);
  });

  it('by force ends the lease: the run is reclaimed and the worker hears who moved its card (cline #155)', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const moved = await move(card, { column_id: desk.todo, force: true, reason: 'wrong queue' });
    expect(moved).toMatchObject({ state: 'idle', lease: null, column_id: desk.todo });
    expect(await lastEvents(world, card)).toEqual(['card.lease.revoked', 'card.moved']);
    expect(await readRun(main, card.id, 1)).toMatchObject({
      outcome: 'reclaimed',
      why: 'moved',
      by: 'admin',
      error: 'wrong queue',
      agent: 'ada',
    });
    const lost = {
      code: 'lease_lost',
      extras: { reason: 'moved', by: 'admin', run: { outcome: 'reclaimed' }, retryable: false },
    };
    expect(await refusal(renew(main, ada, held))).toMatchObject(lost);
    expect(await refusal(complete(main, ada, held))).toMatchObject(lost);
    expect(await look(world, card)).toMatchObject({ state: 'idle', column_id: desk.todo });
  });

  it('frees the slot of the worker that it takes the card from', async () => {
    const desk = await makeDesk(world, { concurrency_limit: 1 });
    clock.advance(10_000);
    const { a, b } = await threeCards(desk);
    await mustClaim(main, ada, desk.queue);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    await move(a, { column_id: desk.todo, force: true, reason: 'r' });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(b.id);
  });

  it('of a card whose lease has expired needs no force, and ends the same before and after the reaper', async () => {
    const outcomes = [];
    for (const reaped of [false, true]) {
      const desk = await makeDesk(world);
      const card = await made(world, desk);
      const held = await mustClaim(main, ada, desk.queue);
      clock.advance(3_600_000);
      if (reaped) await reap(main, clock.now() + 60_000);
      const moved = await move(card, { column_id: desk.todo });
      const run = await readRun(main, card.id, 1);
      const late = await refusal(
        completeLease(main, ada, { lease: held.lease_id, lease_token: held.lease_token }),
      );
      const { state, attempt, rev, fence } = moved;
      outcomes.push({
        state,
        attempt,
        rev,
        fence,
        outcome: run?.outcome,
        code: late.code,
        reason: late.extras['reason'],
      });
    }
    expect(outcomes[0]).toEqual({
      state: 'idle',
      attempt: 1,
      rev: 2,
      fence: 1,
      outcome: 'expired',
      code: 'lease_lost',
      reason: 'expired',
    });
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  it('and a claim at once end one way or the other: moved and free, or held where it was', async () => {
    const desk = await makeDesk(world);
    for (let n = 0; n < 4; n += 1) {
      const card = await made(world, desk);
      const [moved, claimed] = await Promise.allSettled([
        moveCard(world.engine(), admin, { card: card.id, column_id: desk.todo }),
        claimFrom(world.engine(), ada, desk.queue),
      ]);
      const now = await look(world, card);
      if (claimed.status === 'fulfilled' && claimed.value !== null) {
        expect(moved.status).toBe('rejected');
        expect(now).toMatchObject({ state: 'leased', column_id: desk.ready });
        await complete(main, ada, claimed.value);
      } else {
        expect(now).toMatchObject({ state: 'idle', column_id: desk.todo, fence: 0 });
      }
    }
  });
});

describe('a column that becomes another', () => {
  it('judges a moved card by its contract of now', async () => {
    const desk = await makeDesk(world);
    await setContract(world, desk.board, { enabled: false });
    const card = await made(world, desk, { column_id: desk.todo });
    expect(await move(card, { column_id: desk.ready })).toMatchObject({ state: 'idle' });
  });
});
