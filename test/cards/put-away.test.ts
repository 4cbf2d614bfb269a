import { describe, expect, it } from 'vitest';
import { BY_BOARD_INDEX, LANES_INDEX } from '../../shared/store/table.ts';
import { bodyKey, cardKey } from '../../shared/store/keys.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { refusal } from '../boards/support/board.ts';
import { claimFrom, complete, fail, mustClaim, release, renew, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { jobOf, lastEvents, look, made, makeDesk } from './support/cards.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const archive = async (card: { id: string }, force: object = {}) =>
  archiveCard(main, admin, { card: card.id, ...force });
const unarchive = async (card: { id: string }) => unarchiveCard(main, admin, { card: card.id });
const remove = async (card: { id: string }, force: object = {}) =>
  deleteCard(main, admin, { card: card.id, ...force });
const FORCE = { force: true, reason: 'no longer needed' };

describe('archive', () => {
  it('hides the card from claims and lists; unarchive brings it back where it stood', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const second = await made(world, desk, { title: 'second' });
    expect(await archive(card)).toMatchObject({ state: 'archived', rev: 2 });
    expect(await lastEvents(world, card)).toEqual(['card.archived']);
    const list = async (more: object) =>
      (await listCards(main, admin, { board: desk.board.id, limit: 50, ...more })).items.map(({ id }) => id);
    expect(await list({})).toEqual([second.id]);
    expect(await list({ column: desk.ready })).toEqual([second.id]);
    expect(await list({ archived: true })).toEqual([card.id]);
    expect(await list({ state: 'archived', column: desk.ready })).toEqual([card.id]);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(second.id);
    expect((await whyNothing(main, ada, desk.queue)).reason).toBe('all_held');
    expect(await unarchive(card)).toMatchObject({ state: 'ready', column_id: desk.ready, rev: 3 });
    expect(await lastEvents(world, card)).toEqual(['card.unarchived']);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(card.id);
  });

  it('remembers what the facts do not tell: a done card comes back done, a dead one dead', async () => {
    const desk = await makeDesk(world, { max_attempts: 1, on_success_column_id: null });
    const done = await made(world, desk);
    await complete(main, ada, await mustClaim(main, ada, desk.queue));
    const dead = await made(world, desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    for (const [card, state] of [
      [done, 'done'],
      [dead, 'dead'],
    ] as const) {
      await archive(card);
      expect(await unarchive(card)).toMatchObject({ state, column_id: desk.ready });
      expect((await jobOf(world, card)).archived_from).toBeUndefined();
    }
  });

  it('and unarchive repeated change nothing more', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const once = await archive(card);
    expect(await archive(card)).toEqual(once);
    const back = await unarchive(card);
    expect(await unarchive(card)).toEqual(back);
  });

  it('of a held card needs force; then its worker is told, and the card does not rise again (cline #155, hermes #57596)', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    expect((await refusal(archive(card))).code).toBe('lease_held');
    expect((await look(world, card)).state).toBe('leased');
    expect(await archive(card, FORCE)).toMatchObject({ state: 'archived', lease: null });
    expect(await lastEvents(world, card)).toEqual(['card.lease.revoked', 'card.archived']);
    for (const call of [renew, complete, fail, release]) {
      expect(await refusal(call(main, ada, held))).toMatchObject({
        code: 'lease_lost',
        extras: { reason: 'archived', by: 'admin', run: { number: 1, outcome: 'reclaimed' }, current: null },
      });
    }
    expect((await look(world, card)).state).toBe('archived');
  });

  it('of a card whose lease has expired kills the late token too', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(3_600_000);
    await archive(card);
    expect((await refusal(complete(main, ada, held))).code).toBe('lease_lost');
    expect((await look(world, card)).state).toBe('archived');
  });

  it('leaves a card that can still be edited', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    await archive(card);
    const patched = await patchCard(main, admin, { card: card.id, title: 'new', priority: 9 });
    expect(patched).toMatchObject({ state: 'archived', title: 'new', priority: 9 });
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
  });
});

describe('delete', () => {
  it('removes the card, its text and its runs, and leaves a tombstone in no list', async () => {
    const desk = await makeDesk(world, { max_attempts: 100 });
    const card = await made(world, desk, { body: 'x'.repeat(5_000) });
    for (let n = 0; n < 30; n += 1) await release(main, ada, await mustClaim(main, ada, desk.queue));
    await remove(card);
    expect((await refusal(look(world, card))).code).toBe('not_found');
    expect((await refusal(remove(card))).code).toBe('not_found');
    const { items } = await main.store.query({ pk: { name: 'pk', value: card.id }, consistent: true });
    expect(items.map(({ sk }) => sk)).toEqual(['JOB']);
    expect(items[0]).toMatchObject({
      state: 'deleted',
      op: 'delete',
      ev: [{ type: 'card.deleted' }],
      run: 30,
    });
    expect(Number(items[0]?.['ttl']) * 1_000).toBeGreaterThan(clock.now() + 29 * 86_400_000);
    for (const [index, name, value] of [
      [LANES_INDEX, 'lane', String(items[0]?.['lane'])],
      [BY_BOARD_INDEX, 'board', desk.board.id],
    ] as const) {
      expect((await main.store.query({ index, pk: { name, value } })).items).toEqual([]);
    }
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    expect(await main.store.get(cardKey(card.id))).toBeUndefined();
    expect(await main.store.get(bodyKey(card.id))).toBeUndefined();
  });

  it('of a held card needs force; its worker hears that the card is gone, and by whom', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    expect((await refusal(remove(card))).code).toBe('lease_held');
    await remove(card, FORCE);
    for (const call of [renew, complete, fail]) {
      expect(await refusal(call(main, ada, held))).toMatchObject({
        code: 'lease_lost',
        extras: { reason: 'deleted', by: 'admin', run: { number: 1, outcome: 'reclaimed' } },
      });
    }
    expect((await jobOf(world, card)).ev.map(({ type }) => type)).toEqual([
      'card.lease.revoked',
      'card.deleted',
    ]);
  });

  it('of an archived card works, and two deletes at once are one', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    await archive(card);
    const both = await Promise.allSettled([
      deleteCard(world.engine(), admin, { card: card.id }),
      deleteCard(world.engine(), admin, { card: card.id }),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await jobOf(world, card)).sequence).toBe(3);
  });
});
