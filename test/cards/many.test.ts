import { describe, expect, it } from 'vitest';
import { BulkCardsBody, CreateCardsBody } from '../../shared/schemas/cards.ts';
import { bulkCards } from '../../shared/verbs/bulk-cards.ts';
import { createCards } from '../../shared/verbs/create-cards.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { repeatable } from '../boards/support/board.ts';
import { complete, fail, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { lastEvents, look, made, makeDesk, type Desk } from './support/cards.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock, meter } = world;
const ada = world.agent('ada');
const create = async (desk: Desk, cards: unknown[], key?: string) =>
  createCards(
    main,
    admin,
    { board: desk.board.id, ...CreateCardsBody.parse({ cards }) },
    key === undefined ? null : repeatable(key, 'body', 'POST cards:batch'),
  );
const bulk = async (desk: Desk, body: object) =>
  (await bulkCards(main, admin, { ...BulkCardsBody.parse(body), board: desk.board.id })).items;
const rows = (desk: Desk, count: number) =>
  Array.from({ length: count }, (_, at) => ({ title: `row ${at}`, column_id: desk.ready }));

describe('a batch of creates', () => {
  it('makes 100 cards in order: their keys, their place in the queue and their age', async () => {
    const desk = await makeDesk(world);
    const { value, created, replayed } = await create(desk, rows(desk, 100));
    expect({ created, replayed }).toEqual({ created: true, replayed: false });
    expect(value.items.map(({ index, status }) => [index, status])).toEqual(
      Array.from({ length: 100 }, (_, at) => [at, 201]),
    );
    const cards = value.items.flatMap((item) => ('card' in item ? [item.card] : []));
    expect(cards.map(({ title }) => title)).toEqual(rows(desk, 100).map(({ title }) => title));
    const numbers = cards.map(({ key }) => Number(key.split('-')[1]));
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => (numbers[0] ?? 0) + at));
    const list = async (query: object) =>
      (await listCards(main, admin, { board: desk.board.id, limit: 100, ...query })).items.map(
        ({ id }) => id,
      );
    expect(await list({ column: desk.ready })).toEqual(cards.map(({ id }) => id));
    expect(await list({})).toEqual(cards.map(({ id }) => id).toReversed());
  });

  it('takes its numbers in one write', async () => {
    const desk = await makeDesk(world);
    meter.reset();
    await create(desk, rows(desk, 20));
    expect(meter.of('update').calls).toBe(1);
    expect(meter.of('transact').calls).toBe(20);
  });

  it('answers a bad row as that row’s, and makes the others', async () => {
    const desk = await makeDesk(world);
    const { value } = await create(desk, [
      { title: 'good', column_id: desk.ready },
      { title: '', colum_id: desk.ready },
      { title: 'lost', column_id: 'col_nope' },
      'no object',
      { title: 'also good' },
    ]);
    expect(value.items).toMatchObject([
      { index: 0, status: 201, card: { title: 'good' } },
      { index: 1, status: 422, error: { code: 'validation_failed' } },
      { index: 2, status: 404, error: { code: 'not_found' } },
      { index: 3, status: 422, error: { code: 'validation_failed' } },
      { index: 4, status: 201, card: { title: 'also good' } },
    ]);
    const [, bad] = value.items;
    const paths = bad !== undefined && 'error' in bad ? JSON.stringify(bad.error) : '';
    expect(paths).toContain('/title');
    expect(paths).toContain('/colum_id');
  });

  it('of 0 or 101 rows is refused', () => {
    expect(CreateCardsBody.safeParse({ cards: [] }).success).toBe(false);
    expect(CreateCardsBody.safeParse({ cards: Array.from({ length: 101 }, () => ({})) }).success).toBe(false);
  });

  it('deduplicates within itself', async () => {
    const desk = await makeDesk(world);
    const keyed = { title: 'nightly', dedupe_key: 'n', column_id: desk.ready };
    const { value } = await create(desk, [keyed, keyed, keyed]);
    expect(value.items.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect(new Set(value.items.map((item) => ('card' in item ? item.card.id : ''))).size).toBe(1);
  });

  it('repeated with its key answers the rows recorded and tries the others again', async () => {
    const desk = await makeDesk(world);
    const cards = [{ title: 'one' }, { title: '' }, { title: 'three' }];
    const first = await create(desk, cards, 'batch');
    const again = await create(desk, cards, 'batch');
    const ids = (answer: typeof first) =>
      answer.value.items.map((item) => ('card' in item ? item.card.id : null));
    expect(ids(again)).toEqual(ids(first));
    expect(ids(first)[1]).toBeNull();
    expect(again.replayed).toBe(true);
    const parallel = await Promise.all([create(desk, cards, 'other'), create(desk, cards, 'other')]);
    expect(ids(parallel[0])).toEqual(ids(parallel[1]));
    expect((await listCards(main, admin, { board: desk.board.id, limit: 100 })).items).toHaveLength(4);
  });
});

describe('bulk', () => {
  it('answers each card by itself, in the order of the ids', async () => {
    const desk = await makeDesk(world);
    const other = await made(world, await makeDesk(world));
    const a = await made(world, desk);
    const held = await made(world, desk);
    await mustClaim(main, ada, desk.queue);
    const [one, two] = [held, a];
    const answers = await bulk(desk, { ids: [one.id, other.id, 'crd_nope', two.id], verb: 'archive' });
    expect(answers).toMatchObject([
      { id: one.id, status: 200, card: { state: 'archived' } },
      { id: other.id, status: 404, error: { code: 'not_found' } },
      { id: 'crd_nope', status: 404, error: { code: 'not_found' } },
      { id: two.id, status: 409, error: { code: 'lease_held', holder: 'ada' } },
    ]);
    expect((await look(world, other)).state).toBe('ready');
  });

  it('applies patch, move and verb of a row in one write, or none of them', async () => {
    const desk = await makeDesk(world);
    const a = await made(world, desk);
    const done = await made(world, desk);
    const held = await made(world, desk);
    const first = await mustClaim(main, ada, desk.queue);
    await complete(main, ada, await mustClaim(main, ada, desk.queue));
    const moved = await bulk(desk, {
      ids: [held.id, done.id, a.id],
      patch: { labels: ['urgent'], priority: 9 },
      move: { column_id: desk.todo, top: true },
    });
    expect(moved).toMatchObject([
      { status: 200, card: { labels: ['urgent'], priority: 9, column_id: desk.todo, state: 'idle', rev: 2 } },
      { status: 200, card: { labels: ['urgent'], column_id: desk.todo, state: 'idle' } },
      { status: 409, error: { code: 'lease_held' } },
    ]);
    expect(await lastEvents(world, held)).toEqual(['card.updated', 'card.reprioritized', 'card.moved']);
    expect(await look(world, a)).toMatchObject({ labels: [], priority: 5, state: 'leased', rev: 1 });
    const forced = await bulk(desk, {
      ids: [a.id],
      patch: { title: 'put away' },
      verb: 'archive',
      force: true,
      reason: 'cleanup',
    });
    expect(forced).toMatchObject([{ status: 200, card: { title: 'put away', state: 'archived', rev: 2 } }]);
    await expect(complete(main, ada, first)).rejects.toMatchObject({
      code: 'lease_lost',
      extras: { reason: 'archived' },
    });
  });

  it('deletes and redrives', async () => {
    const desk = await makeDesk(world, { max_attempts: 1 });
    const dead = await made(world, desk);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    clock.advance(1);
    const alive = await made(world, desk);
    expect(await bulk(desk, { ids: [dead.id, alive.id], verb: 'redrive' })).toMatchObject([
      { status: 200, card: { state: 'ready', attempt: 0 } },
      { status: 409, error: { code: 'conflict' } },
    ]);
    const gone = { status: 204, card: null };
    expect(await bulk(desk, { ids: [dead.id, alive.id], verb: 'delete' })).toEqual([
      { id: dead.id, ...gone },
      { id: alive.id, ...gone },
    ]);
    expect((await listCards(main, admin, { board: desk.board.id, limit: 10 })).items).toEqual([]);
  });

  it('has no way to call a card held, and no summary for many (hermes PR 28411)', () => {
    const ids = ['crd_1'];
    const refused = (body: object) => !BulkCardsBody.safeParse({ ids, ...body }).success;
    expect(refused({ patch: { state: 'leased' } })).toBe(true);
    expect(refused({ patch: { status: 'running' } })).toBe(true);
    expect(refused({ verb: 'claim' })).toBe(true);
    expect(refused({ verb: 'archive', summary: 'all done' })).toBe(true);
    expect(refused({})).toBe(true);
    expect(refused({ verb: 'archive', force: true })).toBe(true);
    expect(refused({ verb: 'delete', patch: { title: 'x' } })).toBe(true);
    expect(BulkCardsBody.safeParse({ ids: ['a', 'a'], verb: 'archive' }).success).toBe(false);
    expect(BulkCardsBody.safeParse({ ids: [], verb: 'archive' }).success).toBe(false);
  });
});
