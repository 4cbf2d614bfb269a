import { describe, expect, it } from 'vitest';
import { cardKey, jobKey } from '../../shared/store/keys.ts';
import { ListCardsQuery } from '../../shared/schemas/cards.ts';
import { createCards } from '../../shared/verbs/create-cards.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { jsonBytes } from '../../shared/text.ts';
import type { CardSummary } from '../../shared/views/card.ts';
import { refusal } from '../boards/support/board.ts';
import { complete, fail, mustClaim } from '../support/worker.ts';
import { seedCards } from '../support/seed.ts';
import { createWorld } from '../support/world.ts';
import { made, makeDesk, type Desk } from './support/cards.ts';
import { seedContents } from './support/seed-contents.ts';

const world = await createWorld();
const { main, admin, clock, meter } = world;
const ada = world.agent('ada');
const page = async (desk: Desk, query: object = {}) =>
  listCards(main, admin, { ...ListCardsQuery.parse(query), board: desk.board.id });
const titles = (items: readonly CardSummary[]) => items.map(({ title }) => title);

/** Every page of a list, from the first on. */
async function all(desk: Desk, query: object = {}): Promise<CardSummary[][]> {
  const pages: CardSummary[][] = [];
  let cursor: string | null = null;
  do {
    const answer = await page(desk, { ...query, ...(cursor === null ? {} : { cursor }) });
    pages.push(answer.items);
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return pages;
}

describe('a board’s list', () => {
  it('goes newest first, page by page, each card once', async () => {
    const desk = await makeDesk(world);
    for (let n = 0; n < 7; n += 1)
      await made(world, desk, { title: `n${n}`, column_id: n % 2 ? desk.todo : desk.ready });
    const pages = await all(desk, { limit: 3 });
    expect(pages.map((items) => items.length)).toEqual([3, 3, 1]);
    expect(titles(pages.flat())).toEqual(['n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0']);
  });

  it('carries summaries: without body, properties and output', async () => {
    const desk = await makeDesk(world);
    await made(world, desk, { body: 'text', properties: { a: 1 }, labels: ['x'] });
    const { items } = await page(desk);
    expect(items).toMatchObject([{ title: 'A card', labels: ['x'], state: 'ready', counts: { runs: 0 } }]);
    for (const name of ['body', 'properties', 'output']) expect(items[0]).not.toHaveProperty(name);
  });

  it('filters by assignee, tenant, label, column and state, and by all at once', async () => {
    const desk = await makeDesk(world);
    await made(world, desk, { title: 'mine', assignee: 'bob', tenant: 'acme', labels: ['x', 'y'] });
    await made(world, desk, { title: 'other', assignee: 'eve', tenant: 'acme', labels: ['y'] });
    await made(world, desk, { title: 'idle', tenant: 'zen', labels: ['x'], column_id: desk.todo });
    const found = async (query: object) => titles((await all(desk, query)).flat());
    expect(await found({ assignee: 'bob' })).toEqual(['mine']);
    expect(await found({ tenant: 'acme' })).toEqual(['other', 'mine']);
    expect(await found({ label: 'x' })).toEqual(['idle', 'mine']);
    expect(await found({ state: 'idle' })).toEqual(['idle']);
    expect(await found({ column: desk.ready, assignee: 'eve' })).toEqual(['other']);
    expect(await found({ column: desk.ready, assignee: 'eve', sort: 'created' })).toEqual(['other']);
    expect(await found({ tenant: 'acme', label: 'y', assignee: 'bob', state: 'ready' })).toEqual(['mine']);
    expect(await found({ tenant: 'acme', label: 'x', assignee: 'eve' })).toEqual([]);
  });

  it('filters by workflow and its step', async () => {
    const desk = await makeDesk(world);
    await made(world, desk, { title: 'draft', workflow_template_id: 'article', current_step_key: 'draft' });
    await made(world, desk, { title: 'check', workflow_template_id: 'article', current_step_key: 'check' });
    await made(world, desk, { title: 'none' });
    const found = async (query: object) => titles((await all(desk, query)).flat());
    expect(await found({ workflow_template_id: 'article' })).toEqual(['check', 'draft']);
    expect(await found({ workflow_template_id: 'article', current_step_key: 'draft' })).toEqual(['draft']);
    expect(await found({ column: desk.ready, current_step_key: 'check' })).toEqual(['check']);
    expect(await found({ workflow_template_id: 'other' })).toEqual([]);
  });

  it('finds words of title and key', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, { title: 'Fix the Login page' });
    await made(world, desk, { title: 'Paint the page' });
    const found = async (q: string) => titles((await all(desk, { q })).flat());
    expect(await found('login')).toEqual(['Fix the Login page']);
    expect(await found('page fix')).toEqual(['Fix the Login page']);
    expect(await found('page')).toEqual(['Paint the page', 'Fix the Login page']);
    expect(await found(card.key.toLowerCase())).toEqual(['Fix the Login page']);
    expect(await found('login paint')).toEqual([]);
    expect(titles((await page(desk, { q: 'page', column: desk.ready, limit: 1 })).items)).toEqual([
      'Paint the page',
    ]);
  });

  it('searches the newest 2,000 and says when that is all', async () => {
    const desk = await makeDesk(world);
    const old = await made(world, desk, { title: 'needle too old' });
    clock.advance(1_000);
    await seedContents(world, desk.queue.column, 10);
    await made(world, desk, { title: 'needle' });
    await seedContents(world, desk.queue.column, 2_005);
    expect(await all(desk, { q: 'needle' })).toEqual([[]]);
    await patchCard(main, admin, { card: old.id, title: 'still too old' });
    await made(world, desk, { title: 'needle new' });
    expect(titles((await all(desk, { q: 'needle' })).flat())).toEqual(['needle new']);
  }, 60_000);
});

describe('a column’s list', () => {
  it('goes in claim order, what is ready first, then what has a time, then what is parked', async () => {
    const desk = await makeDesk(world, { max_attempts: 1 });
    const later = new Date(clock.now() + 3_600_000).toISOString();
    await made(world, desk, { title: 'dead' });
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    await made(world, desk, { title: 'held' });
    await mustClaim(main, ada, desk.queue);
    await made(world, desk, { title: 'low', priority: 1 });
    await made(world, desk, { title: 'high', priority: 9 });
    await made(world, desk, { title: 'bob’s', priority: 9, assignee: 'bob' });
    await made(world, desk, { title: 'later', scheduled_at: later });
    await made(world, desk, { title: 'draft', draft: true });
    expect(titles((await all(desk, { column: desk.ready, limit: 2 })).flat())).toEqual([
      'high',
      'low',
      'bob’s',
      'held',
      'later',
      'draft',
      'dead',
    ]);
    const found = async (state: string) =>
      titles((await all(desk, { column: desk.ready, state, limit: 1 })).flat());
    expect(await found('ready')).toEqual(['high', 'low', 'bob’s']);
    expect(await found('leased')).toEqual(['held']);
    expect(await found('waiting')).toEqual(['later', 'draft']);
    expect(await found('dead')).toEqual(['dead']);
    expect(await found('blocked')).toEqual([]);
    clock.advance(3_600_000);
    expect(await found('ready')).toEqual(['high', 'low', 'bob’s', 'later']);
    expect((await page(desk, { column: desk.ready, state: 'leased' })).items).toMatchObject([
      { title: 'held', lease: { agent: 'ada', expired: true } },
    ]);
  });

  it('shows what is done latest first', async () => {
    const desk = await makeDesk(world);
    for (const title of ['first', 'second']) {
      await made(world, desk, { title });
      clock.advance(1_000);
      await complete(main, ada, await mustClaim(main, ada, desk.queue));
    }
    expect(titles((await page(desk, { column: desk.done })).items)).toEqual(['second', 'first']);
  });

  it('costs the same however many cards the board has', async () => {
    const desk = await makeDesk(world);
    await seedCards(world, desk.queue.column, 30);
    const cost = async () => {
      meter.reset();
      await page(desk, { column: desk.ready, state: 'ready', limit: 10 });
      return meter.readUnits;
    };
    await cost();
    const few = await cost();
    await seedCards(world, desk.queue.column, 200);
    await cost();
    expect(await cost()).toBe(few);
  });

  it('passes a card by whose items cannot be read', async () => {
    const desk = await makeDesk(world);
    const broken = await made(world, desk, { title: 'broken' });
    await made(world, desk, { title: 'sound' });
    await main.store.write({ kind: 'update', key: jobKey(broken.id), set: { attempt: 'x' }, remove: [] });
    const half = await made(world, desk, { title: 'half' });
    await main.store.write({ kind: 'delete', key: cardKey(half.id) });
    expect(titles((await page(desk, { column: desk.ready })).items)).toEqual(['sound']);
    expect(titles((await page(desk)).items)).toEqual(['sound']);
  });
});

describe('a page', () => {
  it('ends by bytes, so that a list of the largest summaries goes on under 5 MB (azul #8258)', async () => {
    // Written out as JSON each of these takes six bytes.
    const name = '\u0001'.repeat(490);
    const schema = { type: 'object', properties: { [name]: { type: 'array', items: { type: 'string' } } } };
    const desk = await makeDesk(world, { input_schema: schema });
    const cards = Array.from({ length: 100 }, () => ({
      title: '𝄞'.repeat(500),
      column_id: desk.ready,
      properties: { [name]: Array.from({ length: 30 }, (_, at) => at) },
    }));
    const { value } = await createCards(main, admin, { board: desk.board.id, cards }, null);
    expect(value.items.every(({ status }) => status === 201)).toBe(true);
    const pages = await all(desk, { column: desk.ready, limit: 100 });
    expect(pages.flat()).toHaveLength(100);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(100);
    expect(pages.length).toBeGreaterThan(1);
    for (const items of pages) expect(jsonBytes(items)).toBeLessThan(5_000_000);
  });

  it('that finds little in a long list ends short and goes on', async () => {
    const desk = await makeDesk(world);
    await made(world, desk, { title: 'first', tenant: 'acme' });
    await seedContents(world, desk.queue.column, 700);
    await made(world, desk, { title: 'last', tenant: 'acme' });
    const pages = await all(desk, { tenant: 'acme', limit: 100 });
    expect(pages.length).toBeGreaterThan(1);
    expect(titles(pages.flat())).toEqual(['last', 'first']);
  });

  it('limit out of range, a sort without its column and an unknown filter are refused by name', () => {
    const refused = (query: object) => !ListCardsQuery.safeParse(query).success;
    expect(ListCardsQuery.parse({ limit: '7' }).limit).toBe(7);
    expect(ListCardsQuery.parse({}).limit).toBe(50);
    for (const limit of ['0', '101', 'x', '', '1.5']) expect(refused({ limit })).toBe(true);
    expect(refused({ sort: 'priority' })).toBe(true);
    expect(refused({ state: 'running' })).toBe(true);
    expect(refused({ asignee: 'typo' })).toBe(true);
  });

  it('has a cursor that nobody else can make, and that is good for its own list only', async () => {
    const desk = await makeDesk(world);
    const other = await makeDesk(world);
    for (let n = 0; n < 3; n += 1) await made(world, desk);
    const { next_cursor } = await page(desk, { limit: 1 });
    const cursor = next_cursor ?? '';
    expect(titles((await page(desk, { limit: 2, cursor })).items)).toHaveLength(2);
    const forged = Buffer.from(cursor, 'base64url').toString().replace('"depth', '"Depth');
    const made_up = [
      'abc',
      'e30',
      `${cursor.slice(0, -4)}AAAA`,
      Buffer.from(forged).toString('base64url'),
      Buffer.from(JSON.stringify(['cards', ['{}', 'k1.x']])).toString('base64url'),
      Buffer.from(JSON.stringify(['cards', ['{}', 'k9.x']])).toString('base64url'),
    ];
    for (const wrong of made_up) {
      expect((await refusal(page(desk, { cursor: wrong }))).code).toBe('invalid_cursor');
    }
    expect((await refusal(page(other, { cursor }))).code).toBe('invalid_cursor');
    expect((await refusal(page(desk, { cursor, state: 'ready' }))).code).toBe('invalid_cursor');
    expect((await refusal(page(desk, { cursor, column: desk.ready }))).code).toBe('invalid_cursor');
  });

  it('of a column elsewhere or a board of another token is not found', async () => {
    const desk = await makeDesk(world);
    const other = await makeDesk(world);
    expect((await refusal(page(desk, { column: other.ready }))).code).toBe('not_found');
    const stranger = world.person('cy', { boardId: other.board.id });
    const call = listCards(main, stranger, { ...ListCardsQuery.parse({}), board: desk.board.id });
    expect((await refusal(call)).code).toBe('not_found');
  });
});
