import { describe, expect, it } from 'vitest';
import { CreateCardBody } from '../../shared/schemas/cards.ts';
import { bodyKey } from '../../shared/store/keys.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { makeBoard, refusal, repeatable } from '../boards/support/board.ts';
import { claimFrom, mustClaim, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { jobOf, lastEvents, look, made, make, makeDesk } from './support/cards.ts';
import { itemBytes, worstCard } from './support/worst-card.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock, meter } = world;
const ada = world.agent('ada');
const REFERENCE = {
  title: 'A reference card whose title has some sixty bytes of text..',
  body: 'x'.repeat(4_096),
  properties: { source: 'reference', text: 'y'.repeat(70) },
  labels: ['bench', 'reference'],
};
const key = (name: string, fingerprint = 'body') => repeatable(name, fingerprint, 'POST cards');
const count = async (board: string) => (await listCards(main, admin, { board, limit: 100 })).items.length;

describe('a new card', () => {
  it('goes to the bottom of the first column for what is to do, with a key, and is idle there', async () => {
    const board = await makeBoard(world, { name: 'Bug hunt' });
    const create = async (title: string) =>
      (await createCard(main, admin, { board: board.slug, title }, null)).value;
    const first = await create('One');
    const second = await create('Two');
    expect(first).toMatchObject({
      state: 'idle',
      waiting_on: null,
      priority: 5,
      properties: {},
      body: '',
      assignee: null,
      attempt: 0,
      fence: 0,
      rev: 1,
      created_by: 'admin',
      lease: null,
    });
    expect(board.columns.find(({ id }) => id === first.column_id)?.role).toBe('todo');
    const number = (card: { key: string }) => Number(card.key.split('-')[1]);
    expect(number(second)).toBe(number(first) + 1);
    expect(await look(world, first)).toEqual(first);
    expect(await lastEvents(world, first)).toEqual(['card.created']);
  });

  it('in a queue is ready and offered', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, { properties: { url: 'https://example.com' }, body: 'short' });
    expect(card).toMatchObject({ state: 'ready', column_id: desk.ready, body: 'short' });
    const held = await mustClaim(main, ada, desk.queue);
    expect(held.card).toMatchObject({
      id: card.id,
      properties: { url: 'https://example.com' },
      body: 'short',
    });
  });

  it('that is a draft, on hold or scheduled is never offered before its time (hermes #49638)', async () => {
    const desk = await makeDesk(world);
    const soon = new Date(clock.now() + 60_000).toISOString();
    const draft = await made(world, desk, { draft: true });
    const hold = await made(world, desk, { hold: true });
    const later = await made(world, desk, { scheduled_at: soon });
    expect([draft, hold, later].map(({ state, waiting_on }) => [state, waiting_on])).toEqual([
      ['waiting', 'draft'],
      ['waiting', 'hold'],
      ['waiting', 'schedule'],
    ]);
    expect(await whyNothing(main, ada, desk.queue)).toMatchObject({
      reason: 'all_waiting',
      next_available_at: soon,
    });
    clock.advance(60_000);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(later.id);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
  });

  it('that does not fit the input schema waits with its errors and does not stop the next (homeboy #11853)', async () => {
    const desk = await makeDesk(world, { input_schema: { type: 'object', required: ['url'] } });
    const bad = await made(world, desk, { properties: { uri: 'typo' } });
    const good = await made(world, desk, { properties: { url: 'https://example.com' } });
    expect(bad).toMatchObject({ state: 'waiting', waiting_on: 'input' });
    expect(bad.waiting_detail).toEqual([{ path: '/url', message: 'is required' }]);
    expect((await look(world, bad)).waiting_detail).toEqual(bad.waiting_detail);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(good.id);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
  });

  it('whose faults lie under a name as long as the properties may be is stored all the same', async () => {
    const name = 'k'.repeat(60_000);
    const faulty = { type: 'array', items: { type: 'string' } };
    const desk = await makeDesk(world, { input_schema: { additionalProperties: faulty } });
    const card = await made(world, desk, {
      properties: { [name]: Array.from({ length: 30 }, (_, at) => at) },
    });
    expect(card).toMatchObject({ state: 'waiting', waiting_on: 'input' });
    expect((await look(world, card)).waiting_detail).toHaveLength(20);
  });

  it('takes any JSON as properties, also what the table could not hold as a map', async () => {
    const desk = await makeDesk(world);
    const properties = {
      '': 1,
      huge: 1e300,
      tiny: 1e-300,
      id: 2 ** 60,
      nested: [[[[]]]],
      none: null,
    };
    const card = await made(world, desk, { properties });
    expect((await look(world, card)).properties).toEqual(properties);
  });

  it('may carry what its limits permit to the byte, and nothing above', () => {
    const fits = (body: object) => CreateCardBody.safeParse({ title: 'x', ...body }).success;
    const props = (bytes: number) => ({ properties: { p: 'x'.repeat(bytes - '{"p":""}'.length) } });
    expect(fits({ title: '𝄞'.repeat(500), body: 'é'.repeat(102_400), ...props(65_536) })).toBe(true);
    expect(fits({ title: 'x'.repeat(501) })).toBe(false);
    expect(fits({ title: '   ' })).toBe(false);
    expect(fits({ body: `${'é'.repeat(102_400)}x` })).toBe(false);
    expect(fits(props(65_537))).toBe(false);
    const tags = (length: number) => Array.from({ length }, (_, at) => `${at}`.padStart(32, 'x'));
    expect(
      fits({ labels: tags(10), skills: tags(5), tenant: 't'.repeat(64), assignee: 'a'.repeat(64) }),
    ).toBe(true);
    expect(fits({ labels: tags(11) })).toBe(false);
    expect(fits({ skills: tags(6) })).toBe(false);
    expect(fits({ labels: ['x'.repeat(33)] })).toBe(false);
    expect(fits({ tenant: 't'.repeat(65) })).toBe(false);
    expect(fits({ assignee: '\ud800' })).toBe(false);
    expect(fits({ scheduled_at: '2026-03-02T09:00:00' })).toBe(false);
    expect(fits({ scheduled_at: '2300-01-01T00:00:00Z' })).toBe(false);
    expect(fits({ state: 'leased' })).toBe(false);
    expect(fits({ priority: 10 })).toBe(false);
  });

  it('of the greatest size is stored whole and answered whole', async () => {
    const desk = await makeDesk(world, { input_schema: { type: 'object' } });
    const body = 'é'.repeat(102_400);
    const properties = { p: 'x'.repeat(65_528) };
    const card = await made(world, desk, { title: '𝄞'.repeat(500), body, properties });
    expect(await look(world, card)).toMatchObject({ title: '𝄞'.repeat(500), body, properties });
  });

  it('on an archived board, in an unknown column or in one on its way out is refused and writes nothing', async () => {
    const desk = await makeDesk(world);
    const other = await makeDesk(world);
    meter.reset();
    expect((await refusal(made(world, desk, { column_id: 'col_nope' }))).code).toBe('not_found');
    expect((await refusal(made(world, desk, { column_id: other.ready }))).code).toBe('not_found');
    expect(meter.writeUnits).toBe(0);
    const bound = world.person('cy', { boardId: other.board.id });
    expect((await refusal(make(world, desk, {}, { caller: bound }))).code).toBe('not_found');
  });
});

describe('the cost of a create', () => {
  it('of the reference card is two round trips and 12 write units', async () => {
    const desk = await makeDesk(world);
    await made(world, desk);
    meter.reset();
    await made(world, desk, REFERENCE);
    // Side by side: the number and the text. Then one transaction, of which the emulator doubles the indexes.
    expect(meter.of('update')).toMatchObject({ calls: 1, table: 1 });
    expect(meter.of('put')).toMatchObject({ calls: 1, table: 5 });
    expect(meter.of('transact')).toMatchObject({ calls: 1, table: 4, indexes: 4 });
    expect(meter.readUnits).toBe(0);
  });

  it('rises by 2 units with an Idempotency-Key and by 2 with a dedupe key', async () => {
    const desk = await makeDesk(world);
    await made(world, desk);
    meter.reset();
    await make(world, desk, REFERENCE, { repeat: key('cost') });
    expect(meter.of('transact').table).toBe(6);
    meter.reset();
    await make(world, desk, { ...REFERENCE, dedupe_key: 'cost' });
    expect(meter.of('transact').table).toBe(6);
  });
});

describe('an Idempotency-Key', () => {
  it('makes 30 parallel creates one card, in all 30 answers (hermes PRs 75000/69017/31361)', async () => {
    const desk = await makeDesk(world);
    const engines = Array.from({ length: 30 }, () => world.engine());
    const answers = await Promise.all(
      engines.map(async (engine) => make(world, desk, REFERENCE, { engine, repeat: key('once') })),
    );
    expect(new Set(answers.map(({ value }) => value.id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(answers.every(({ created }) => created)).toBe(true);
    expect(await count(desk.board.id)).toBe(1);
    expect((await look(world, answers[0]!.value)).body).toBe(REFERENCE.body);
  });

  it('replayed answers the card as it is now, and leaves no text behind', async () => {
    const desk = await makeDesk(world);
    const first = await make(world, desk, REFERENCE, { repeat: key('again') });
    await mustClaim(main, ada, desk.queue);
    const again = await make(world, desk, REFERENCE, { repeat: key('again') });
    expect(again).toMatchObject({
      created: true,
      replayed: true,
      value: { id: first.value.id, state: 'leased' },
    });
    expect(await main.store.get(bodyKey(first.value.id))).toBeDefined();
    expect(await count(desk.board.id)).toBe(1);
  });

  it('with another body is refused; of another token or after a day it is another request', async () => {
    const desk = await makeDesk(world);
    const first = await make(world, desk, {}, { repeat: key('mine') });
    const reused = make(world, desk, {}, { repeat: key('mine', 'other body') });
    expect((await refusal(reused)).code).toBe('idempotency_key_reused');
    const cy = await make(world, desk, {}, { repeat: key('mine'), caller: world.person('cy') });
    clock.advance(24 * 3_600_000);
    const tomorrow = await make(world, desk, {}, { repeat: key('mine') });
    expect(new Set([first, cy, tomorrow].map(({ value }) => value.id)).size).toBe(3);
  });

  it('of a card that was deleted since finds nothing', async () => {
    const desk = await makeDesk(world);
    const { value } = await make(world, desk, {}, { repeat: key('gone') });
    await deleteCard(main, admin, { card: value.id });
    expect((await refusal(make(world, desk, {}, { repeat: key('gone') }))).code).toBe('not_found');
  });
});

describe('keys', () => {
  it('never repeat under 40 creators at once', async () => {
    const desk = await makeDesk(world);
    const cards = await Promise.all(
      Array.from({ length: 40 }, async () => make(world, desk, {}, { engine: world.engine() })),
    );
    expect(new Set(cards.map(({ value }) => value.key)).size).toBe(40);
  });
});

describe('the hot item', () => {
  it('of the worst card that the API accepts stays under 3,072 bytes', async () => {
    const sizes = await worstCard(world);
    const over = Object.entries(sizes).filter(([, bytes]) => bytes >= 3_072);
    expect(over).toEqual([]);
    expect(Math.max(...Object.values(sizes))).toBeGreaterThan(2_000);
  });

  it('of the reference card, leased, stays under 1,024 bytes', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, REFERENCE);
    await mustClaim(main, ada, desk.queue);
    expect(itemBytes(await jobOf(world, card))).toBeLessThan(1_024);
  });
});
