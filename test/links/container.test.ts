import { describe, expect, it } from 'vitest';
import { DecomposeCardBody } from '../../shared/schemas/graphs.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { decomposeCard } from '../../shared/verbs/decompose-card.ts';
import { listLinks } from '../../shared/verbs/list-links.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { columnNamed, refusal, repeatable } from '../boards/support/board.ts';
import { jobOf, lastEvents, look, made, makeDesk } from '../cards/support/cards.ts';
import { claimFrom, complete, mustClaim, release, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { dyingEngine } from './support/dying.ts';
import { finish, unlink, work } from './support/links.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');

const decompose = async (
  card: { id: string },
  body: object,
  { caller = admin, engine = main, key = '' } = {},
) =>
  decomposeCard(
    engine,
    caller,
    { ...DecomposeCardBody.parse(body), card: card.id },
    key === '' ? null : repeatable(key, JSON.stringify(body), 'POST decompose'),
  );
const parts = {
  cards: ['a', 'b', 'c'].map((ref) => ({ ref, title: `Part ${ref}` })),
  links: [{ parent: 'a', child: 'b' }],
};

describe('a container', () => {
  it('is never offered before its sub-cards are done, and then to be judged', async () => {
    const desk = await makeDesk(world);
    const epic = await made(world, desk, { container: true, priority: 9, tenant: 'red' });
    expect(epic).toMatchObject({ container: true, state: 'waiting', waiting_on: 'container' });
    expect(await whyNothing(main, ada, desk.queue)).toMatchObject({ reason: 'containers_only' });
    const subs = [
      await made(world, desk, { container_id: epic.id }),
      await made(world, desk, { container_id: epic.id }),
    ];
    expect(subs[0]).toMatchObject({ container_id: epic.id, state: 'ready', tenant: 'red' });
    expect(await look(world, epic)).toMatchObject({
      waiting_on: 'container',
      waiting_detail: subs.map(({ id }) => id),
      counts: { parents_open: 2 },
    });
    expect([await work(main, ada, desk), await work(main, ada, desk)]).toEqual(subs.map(({ id }) => id));
    expect(await lastEvents(world, epic)).toEqual(['card.ready']);
    expect((await mustClaim(main, bob, desk.queue)).card.id).toBe(epic.id);
  });

  it('waits for its own parents beside its sub-cards', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk, { column_id: desk.todo });
    const epic = await made(world, desk, { container: true, parents: [parent.id] });
    const sub = await made(world, desk, { container_id: epic.id });
    await work(main, ada, desk);
    expect(await look(world, epic)).toMatchObject({ waiting_on: 'parents', waiting_detail: [parent.id] });
    await finish(world, desk, parent);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(epic.id);
    expect((await look(world, sub)).state).toBe('done');
  });

  it('that is ready goes back to wait when it is given another sub-card, or one of its own is opened', async () => {
    const desk = await makeDesk(world);
    const epic = await made(world, desk, { container: true });
    const sub = await made(world, desk, { container_id: epic.id });
    await finish(world, desk, sub);
    expect((await look(world, epic)).state).toBe('ready');
    const more = await made(world, desk, { container_id: epic.id, column_id: desk.todo });
    expect(await look(world, epic)).toMatchObject({ waiting_on: 'container', waiting_detail: [more.id] });
    await finish(world, desk, more);
    await reopenCard(main, admin, { card: sub.id, column_id: desk.todo });
    expect(await look(world, epic)).toMatchObject({ waiting_on: 'container', waiting_detail: [sub.id] });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
  });

  it('held by a worker gets sub-cards from that worker alone, and is completed after them', async () => {
    const desk = await makeDesk(world);
    const epic = await made(world, desk, { container: true });
    await finish(world, desk, await made(world, desk, { container_id: epic.id }));
    const held = await mustClaim(main, ada, desk.queue);
    expect(held.card.id).toBe(epic.id);
    const sub = { title: 'More to do', container_id: epic.id, column_id: desk.ready, board: desk.board.id };
    expect((await refusal(createCard(main, admin, sub, null))).code).toBe('conflict');
    const own = { ...sub, lease_token: held.lease_token };
    const { value } = await createCard(main, ada, own, null);
    expect(await refusal(complete(main, ada, held))).toMatchObject({
      code: 'parents_open',
      extras: { parents: [value.id] },
    });
    await release(main, ada, held);
    expect(await look(world, epic)).toMatchObject({ state: 'waiting', waiting_on: 'container' });
    expect((await refusal(createCard(main, ada, own, null))).code).toBe('lease_lost');
    expect([await work(main, bob, desk), await work(main, bob, desk)]).toEqual([value.id, epic.id]);
  });

  it('is what a person makes of a card, or makes it stop being', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const sub = await made(world, desk, { column_id: desk.todo });
    const into = { card: sub.id, container_id: card.id };
    expect((await refusal(patchCard(main, admin, into))).code).toBe('conflict');
    expect(await patchCard(main, admin, { card: card.id, container: true })).toMatchObject({
      state: 'waiting',
      waiting_on: 'container',
      waiting_detail: [],
    });
    expect((await patchCard(main, admin, into)).container_id).toBe(card.id);
    expect((await look(world, card)).waiting_detail).toEqual([sub.id]);
    await patchCard(main, admin, { card: card.id, container: false });
    expect(await look(world, card)).toMatchObject({ waiting_on: 'parents', waiting_detail: [sub.id] });
    await patchCard(main, admin, { card: card.id, container: true });
    await finish(world, desk, sub);
    expect((await look(world, card)).state).toBe('ready');
  });

  it('lets a sub-card go to another, and never into itself', async () => {
    const desk = await makeDesk(world);
    const [one, two] = [
      await made(world, desk, { container: true }),
      await made(world, desk, { container: true }),
    ];
    const sub = await made(world, desk, { container_id: one.id, container: true });
    await patchCard(main, admin, { card: sub.id, container_id: two.id });
    expect((await listLinks(main, admin, { card: one.id })).parents).toEqual([]);
    expect((await listLinks(main, admin, { card: two.id })).parents.map(({ id }) => id)).toEqual([sub.id]);
    const cycle = await refusal(patchCard(main, admin, { card: two.id, container_id: sub.id }));
    expect(cycle).toMatchObject({ code: 'conflict', extras: { path: [sub.id, two.id, sub.id] } });
    await unlink(world, sub, two);
    expect((await look(world, sub)).container_id).toBeNull();
  });

  it('and a parent named for a new card at once are looked at for a cycle', async () => {
    const desk = await makeDesk(world);
    const epic = await made(world, desk, { container: true });
    const after = await made(world, desk, { parents: [epic.id] });
    const both = made(world, desk, { parents: [after.id], container_id: epic.id });
    expect((await refusal(both)).extras['path']).toHaveLength(4);
  });
});

describe('decompose', () => {
  it('breaks a card down in one step; it wakes when all parts are done, to be judged', async () => {
    const desk = await makeDesk(world);
    const root = await made(world, desk, { tenant: 'red', priority: 9 });
    const { value } = await decompose(root, parts);
    const { a = '', b = '', c = '' } = value.cards;
    expect(await look(world, root)).toMatchObject({
      container: true,
      state: 'waiting',
      waiting_on: 'container',
      waiting_detail: [b, c].sort(),
      rev: 2,
    });
    expect(await look(world, { id: a })).toMatchObject({
      container_id: root.id,
      column_id: desk.ready,
      state: 'ready',
      tenant: 'red',
      created_by: 'admin',
    });
    for (const id of [a, b, c, root.id]) expect(await work(main, ada, desk)).toBe(id);
  });

  it('takes a card out of triage into the queue where its parts are worked on', async () => {
    const desk = await makeDesk(world);
    const triage = columnNamed(desk.board, 'Triage').id;
    const root = await made(world, desk, { column_id: triage });
    const { value } = await decompose(root, { cards: [{ ref: 'only', title: 'Only part' }] });
    expect(await look(world, root)).toMatchObject({ column_id: desk.ready, waiting_on: 'container' });
    expect(await lastEvents(world, root)).toEqual(['card.linked', 'card.moved']);
    expect([await work(main, ada, desk), await work(main, ada, desk)]).toEqual([
      value.cards['only'],
      root.id,
    ]);
  });

  it('happens once: asked ten times at once, moved back to triage, or after a crash, it fans out no second time', async () => {
    const desk = await makeDesk(world);
    const root = await made(world, desk);
    const race = await Promise.allSettled(
      Array.from({ length: 10 }, async () => decompose(root, parts, { engine: world.engine() })),
    );
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await look(world, root)).counts.parents_open).toBe(2);
    await moveCard(main, admin, { card: root.id, column_id: columnNamed(desk.board, 'Triage').id });
    clock.advance(86_400_000);
    await reap(main, clock.now() + 50_000);
    expect(await refusal(decompose(root, parts))).toMatchObject({ code: 'conflict' });
    expect((await listLinks(main, admin, { card: root.id })).parents).toHaveLength(2);
  });

  it('that died half way is tried again a minute later, and answers a repeat of its key as before', async () => {
    const desk = await makeDesk(world);
    const root = await made(world, desk);
    const key = 'broken down';
    await expect(decompose(root, parts, { engine: dyingEngine(world, 3), key })).rejects.toThrow();
    expect((await look(world, root)).state).toBe('ready');
    expect((await refusal(decompose(root, parts, { key }))).code).toBe('conflict');
    clock.advance(61_000);
    const first = await decompose(root, parts, { key });
    expect(await decompose(root, parts, { key })).toEqual({ ...first, replayed: true });
    expect((await listLinks(main, admin, { card: root.id })).parents).toHaveLength(2);
  });

  it('is a worker’s to do with the card that it holds, which it then gives back to wait', async () => {
    const desk = await makeDesk(world);
    const root = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    expect((await refusal(decompose(root, parts, { caller: bob }))).code).toBe('forbidden');
    expect((await refusal(decompose(root, parts))).code).toBe('lease_held');
    await decompose(root, { ...parts, lease_token: held.lease_token }, { caller: ada });
    expect((await refusal(complete(main, ada, held))).code).toBe('parents_open');
    const { card } = await release(main, ada, held);
    expect(card).toMatchObject({ state: 'waiting', waiting_on: 'container', attempt: 0 });
    expect(await jobOf(world, root)).toMatchObject({ decomposed: true, container: true });
  });

  it('of a card that is done or put away is refused', async () => {
    const desk = await makeDesk(world);
    const root = await finish(world, desk, await made(world, desk));
    expect((await refusal(decompose(root, parts))).code).toBe('conflict');
    expect((await look(world, root)).state).toBe('done');
  });
});
