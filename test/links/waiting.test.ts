import { describe, expect, it } from 'vitest';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { getContext } from '../../shared/verbs/get-context.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { listLinks } from '../../shared/verbs/list-links.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { makeBoard, refusal } from '../boards/support/board.ts';
import { jobOf, lastEvents, look, made, makeDesk } from '../cards/support/cards.ts';
import { claimFrom, complete, fail, mustClaim, release, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { archive, childOf, finish, link, unlink, work } from './support/links.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');

describe('a card with parents', () => {
  it('waits until the last of them is done, and the very next claim gets it (cline #473, hermes PR 23967)', async () => {
    const desk = await makeDesk(world);
    const one = await made(world, desk);
    const two = await made(world, desk);
    const child = await childOf(world, desk, [one, two], { priority: 9 });
    expect(child).toMatchObject({
      state: 'waiting',
      waiting_on: 'parents',
      waiting_detail: [one.id, two.id],
      counts: { parents_open: 2, children: 0 },
    });
    expect((await look(world, one)).counts.children).toBe(1);
    expect(await work(main, ada, desk)).toBe(one.id);
    expect(await look(world, child)).toMatchObject({ waiting_on: 'parents', waiting_detail: [two.id] });
    expect(await work(main, ada, desk)).toBe(two.id);
    const held = await mustClaim(world.engine(), bob, desk.queue);
    expect(held.card).toMatchObject({ id: child.id, waiting_on: null });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
  });

  it('becomes ready with one event, made by nobody’s action', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    expect(await lastEvents(world, child)).toEqual(['card.ready']);
    expect(await jobOf(world, child)).toMatchObject({ state: 'ready', sequence: 2, rev: 1 });
  });

  it('is ready at once under parents that are done, also when these were put away since', async () => {
    const desk = await makeDesk(world);
    const done = await made(world, desk);
    const away = await made(world, desk);
    await finish(world, desk, done);
    await finish(world, desk, away);
    await archive(world, away);
    const child = await childOf(world, desk, [done, away]);
    expect(child).toMatchObject({ state: 'ready', waiting_on: null, counts: { parents_open: 0 } });
    expect(await lastEvents(world, child)).toEqual(['card.created']);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
  });

  it('is not offered by name either, nor when a person moves it into the queue (agent-teams-ai #618)', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk, { column_id: desk.todo });
    const child = await childOf(world, desk, [parent], { column_id: desk.todo });
    expect(child).toMatchObject({ state: 'idle', waiting_on: null });
    const moved = await moveCard(main, admin, { card: child.id, column_id: desk.ready, top: true });
    expect(moved).toMatchObject({ state: 'waiting', waiting_on: 'parents', waiting_detail: [parent.id] });
    expect(await whyNothing(main, ada, desk.queue)).toMatchObject({ reason: 'all_blocked' });
    const refused = await refusal(claimCard(main, ada, { card: child.id }, null));
    expect(refused).toMatchObject({
      code: 'not_claimable',
      extras: { state: 'waiting', waiting_on: 'parents' },
    });
    await finish(world, desk, parent);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
  });

  it('that was moved into the queue after its parents were done, while it stood elsewhere, is offered', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent], { column_id: desk.todo });
    await finish(world, desk, parent);
    await moveCard(main, admin, { card: child.id, column_id: desk.ready });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
  });

  it('waits for whatever else keeps it once its parents are done', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent], { hold: true });
    expect(child.waiting_on).toBe('hold');
    await finish(world, desk, parent);
    expect(await look(world, child)).toMatchObject({ state: 'waiting', waiting_on: 'hold' });
    expect(await lastEvents(world, child)).toEqual([]);
    expect(await patchCard(main, admin, { card: child.id, hold: false })).toMatchObject({ state: 'ready' });
  });

  it.each(['dead', 'archived unfinished', 'deleted'])(
    'is never silently let go by a parent that is %s; it shows which one it waits for (beads #6066)',
    async (end) => {
      const desk = await makeDesk(world, { max_attempts: 1 });
      const parent = await made(world, desk);
      const child = await childOf(world, desk, [parent]);
      if (end === 'dead') await fail(main, ada, await mustClaim(main, ada, desk.queue));
      else if (end === 'deleted') await deleteCard(main, admin, { card: parent.id });
      else await archive(world, parent);
      expect(await look(world, child)).toMatchObject({
        state: 'waiting',
        waiting_on: 'parents',
        waiting_detail: [parent.id],
        counts: { parents_open: 1 },
      });
      expect(await claimFrom(main, ada, desk.queue)).toBeNull();
      await unlink(world, parent, child);
      expect(await lastEvents(world, child)).toEqual(['card.unlinked', 'card.ready']);
      expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
    },
  );

  it('stays ready when its parent is deleted after it was done', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    await deleteCard(main, admin, { card: parent.id });
    expect(await look(world, child)).toMatchObject({ state: 'ready', waiting_detail: null });
    expect(await listLinks(main, admin, { card: child.id })).toEqual({ parents: [], children: [] });
    await reopenCard(main, admin, { card: (await finish(world, desk, child)).id });
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
  });

  it('takes the tenant of its first parent that has one, unless it is given its own', async () => {
    const desk = await makeDesk(world);
    const plain = await made(world, desk);
    const red = await made(world, desk, { tenant: 'red' });
    const blue = await made(world, desk, { tenant: 'blue' });
    expect((await childOf(world, desk, [plain, red, blue])).tenant).toBe('red');
    expect((await childOf(world, desk, [blue, red])).tenant).toBe('blue');
    expect((await childOf(world, desk, [red], { tenant: 'own' })).tenant).toBe('own');
    expect((await childOf(world, desk, [plain])).tenant).toBeNull();
  });

  it('refuses a parent that is not there, by its place in the list, and makes nothing', async () => {
    const desk = await makeDesk(world);
    const foreign = await made(world, await makeDesk(world));
    const own = await made(world, desk);
    const refused = await refusal(childOf(world, desk, [own, { id: 'nope' }, foreign]));
    expect(refused).toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ path: '/parents/1' }, { path: '/parents/2' }] },
    });
    expect((await look(world, own)).counts.children).toBe(0);
  });
});

describe('the context of a card with parents', () => {
  it('has their summaries and metadata word for word, those done last at the end', async () => {
    const desk = await makeDesk(world);
    const parents = [await made(world, desk), await made(world, desk)];
    const by_hand = await made(world, desk, { column_id: desk.todo, title: 'By hand' });
    const child = await childOf(world, desk, [...parents, by_hand]);
    for (const summary of ['Found three', 'Kept two']) {
      const held = await mustClaim(main, ada, desk.queue);
      await complete(main, ada, held, { summary, metadata: { changed_files: [summary] } });
      clock.advance(1_000);
    }
    await finish(world, desk, by_hand);
    const held = await mustClaim(main, bob, desk.queue, { with_context: true });
    expect(held.card.id).toBe(child.id);
    const { sections } = await getContext(main, bob, { card: child.id });
    expect(
      sections.parents.map(({ title, agent, summary, metadata }) => [title, agent, summary, metadata]),
    ).toEqual([
      ['A card', 'ada', 'Found three', { changed_files: ['Found three'] }],
      ['A card', 'ada', 'Kept two', { changed_files: ['Kept two'] }],
      ['By hand', null, null, null],
    ]);
  });
});

describe('a done parent that is opened again', () => {
  it('takes its ready children out in the same write, and gives them back when it is done again', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    await reopenCard(main, admin, { card: parent.id });
    expect(await look(world, child)).toMatchObject({ waiting_on: 'parents', waiting_detail: [parent.id] });
    expect(await lastEvents(world, child)).toEqual(['card.dependency_wait']);
    expect(await work(main, ada, desk)).toBe(parent.id);
    expect(await work(main, ada, desk)).toBe(child.id);
  });

  it('leaves a child that is held with its worker, which cannot complete it before its parents', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    const held = await mustClaim(main, ada, desk.queue);
    await reopenCard(main, admin, { card: parent.id });
    expect(await look(world, child)).toMatchObject({ state: 'leased', lease: { agent: 'ada' } });
    const refused = await refusal(complete(main, ada, held));
    expect(refused).toMatchObject({ code: 'parents_open', extras: { parents: [parent.id] } });
    await finish(world, desk, parent);
    expect((await complete(main, ada, held)).card.state).toBe('done');
  });

  it('sends a held child to wait when its worker gives it back or goes quiet', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const children = [await childOf(world, desk, [parent]), await childOf(world, desk, [parent])];
    await finish(world, desk, parent);
    const [given] = [await mustClaim(main, ada, desk.queue), await mustClaim(main, bob, desk.queue)];
    await moveCard(main, admin, { card: parent.id, column_id: desk.todo });
    await release(main, ada, given);
    clock.advance(121_000);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    for (const child of children) expect(await look(world, child)).toMatchObject({ waiting_on: 'parents' });
  });

  it('keeps a child that is done itself from coming back before it', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    await finish(world, desk, child);
    await moveCard(main, admin, { card: parent.id, column_id: desk.todo });
    const back = await reopenCard(main, admin, { card: child.id, column_id: desk.ready });
    expect(back).toMatchObject({ state: 'waiting', waiting_on: 'parents', waiting_detail: [parent.id] });
  });

  it('is not opened by being put away, nor by coming back done', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await childOf(world, desk, [parent]);
    await finish(world, desk, parent);
    await archiveCard(main, admin, { card: parent.id });
    expect((await look(world, child)).state).toBe('ready');
    await unarchiveCard(main, admin, { card: parent.id });
    expect((await look(world, child)).state).toBe('ready');
  });
});

describe('a gate', () => {
  it('that its worker fails for good lets nothing through (hermes #109451)', async () => {
    const desk = await makeDesk(world);
    const gate = await made(world, desk);
    const child = await childOf(world, desk, [gate]);
    const held = await mustClaim(main, ada, desk.queue);
    await fail(main, ada, held, { retryable: false, reason: 'verdict: not good enough' });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    expect(await look(world, child)).toMatchObject({ waiting_on: 'parents', waiting_detail: [gate.id] });
  });
});

describe('a link', () => {
  it('made later takes a ready card out, and taken away lets it go at once (hermes #22459)', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await made(world, desk, { priority: 9 });
    expect(await link(world, parent, child)).toEqual({
      value: { parent_id: parent.id, child_id: child.id },
      created: true,
      replayed: false,
    });
    expect(await lastEvents(world, child)).toEqual(['card.linked']);
    expect((await look(world, child)).rev).toBe(1);
    expect(await look(world, child)).toMatchObject({ waiting_on: 'parents', waiting_detail: [parent.id] });
    expect((await link(world, parent, child)).created).toBe(false);
    const links = await listLinks(main, admin, { card: child.id });
    expect([links.parents.map(({ id }) => id), links.children]).toEqual([[parent.id], []]);
    await unlink(world, parent, child);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
    expect((await refusal(unlink(world, parent, child))).code).toBe('not_found');
  });

  it('to a parent that is done changes nothing but the list', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const child = await made(world, desk);
    await finish(world, desk, parent);
    await link(world, parent, child);
    expect((await look(world, child)).state).toBe('ready');
    expect((await listLinks(main, admin, { card: parent.id })).children.map(({ id }) => id)).toEqual([
      child.id,
    ]);
  });

  it('onto a card that somebody works on is refused; its holder may make it, and then finishes after it', async () => {
    const desk = await makeDesk(world);
    const child = await made(world, desk);
    const parent = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    expect(held.card.id).toBe(child.id);
    const refused = await refusal(link(world, parent, child));
    expect(refused).toMatchObject({ code: 'conflict', extras: { card_id: child.id } });
    expect((await refusal(link(world, parent, child, ada))).code).toBe('forbidden');
    const own = { card: child.id, parent_id: parent.id, lease_token: held.lease_token };
    clock.advance(60_000);
    await linkCards(main, ada, own, null);
    expect(Date.parse((await look(world, child)).lease?.expires_at ?? '')).toBe(clock.now() + 120_000);
    expect((await refusal(complete(main, ada, held))).code).toBe('parents_open');
    await release(main, ada, held);
    expect(await look(world, child)).toMatchObject({ state: 'waiting', waiting_on: 'parents' });
    expect((await refusal(linkCards(main, ada, own, null))).code).toBe('lease_lost');
  });

  it('onto a card whose lease has expired is made, and its late holder cannot take it back', async () => {
    const desk = await makeDesk(world);
    const child = await made(world, desk);
    const parent = await made(world, desk, { column_id: desk.todo });
    await mustClaim(main, ada, desk.queue);
    clock.advance(121_000);
    await link(world, parent, child);
    expect(await look(world, child)).toMatchObject({ state: 'waiting', waiting_on: 'parents' });
  });

  it('to itself, or one that closes a cycle, is refused naming the path', async () => {
    const desk = await makeDesk(world);
    const one = await made(world, desk);
    const two = await childOf(world, desk, [one]);
    const three = await childOf(world, desk, [two]);
    const self = await refusal(link(world, one, one));
    expect(self).toMatchObject({ code: 'conflict', extras: { path: [one.id, one.id] } });
    const cycle = await refusal(link(world, three, one));
    expect(cycle).toMatchObject({
      code: 'conflict',
      extras: { path: [one.id, two.id, three.id, one.id] },
    });
    expect((await look(world, one)).state).toBe('ready');
  });

  it('across boards, or to a card that is not there, is refused', async () => {
    const desk = await makeDesk(world);
    const child = await made(world, desk);
    const foreign = await made(world, await makeDesk(world));
    expect((await refusal(link(world, foreign, child))).code).toBe('conflict');
    expect((await refusal(link(world, { id: 'crd_nope' }, child))).code).toBe('not_found');
    const stranger = world.person('eve', { boardId: (await makeBoard(world)).id });
    expect((await refusal(link(world, foreign, child, stranger))).code).toBe('not_found');
  });
});
