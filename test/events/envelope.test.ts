import { expect, test } from 'vitest';
import type { EventEnvelope } from '../../shared/events/envelope.ts';
import { EventAnswer } from '../../shared/schemas/responses/event.ts';
import { cardKey, jobKey } from '../../shared/store/keys.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { listCardEvents } from '../../shared/verbs/list-card-events.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { make, makeDesk, made, type Desk } from '../cards/support/cards.ts';
import { complete, fail, mustClaim, release } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';
import { follow, typesOf, wholeFeed, type Follower } from './support/follow.ts';

async function start(contract: object = {}): Promise<{ world: World; desk: Desk; follower: Follower }> {
  const world = await createWorld({ stream: true });
  const desk = await makeDesk(world, contract);
  return { world, desk, follower: await follow(world) };
}

const history = async (world: World, card: { id: string }): Promise<EventEnvelope[]> =>
  (await listCardEvents(world.main, world.admin, { card: card.id, limit: 100 })).items;

test('a completed card tells its story: who, from where, under which lease, with what result', async () => {
  const { world, desk, follower } = await start();
  const card = await made(world, desk, { title: 'Draft the notes', labels: ['docs'] });
  world.clock.advance(60_000);
  const held = await mustClaim(world.main, world.agent('drafter-7'), desk.queue);
  world.clock.advance(5_000);
  await complete(world.main, world.agent('drafter-7'), held, { summary: 'Done.\nIn three parts.' });
  await follower.pump();

  const [created, claimed, completed] = await history(world, card);
  expect(created).toMatchObject({
    id: `evt_${card.id.slice(4)}_1`,
    type: 'card.created',
    timestamp: card.created_at,
    sequence: 1,
    board_id: desk.board.id,
    column_id: desk.ready,
    card_id: card.id,
    actor: { type: 'person', id: 'admin' },
    previous: null,
    data: {
      card: { key: card.key, title: 'Draft the notes', state: 'ready', labels: ['docs'] },
      lease: null,
    },
  });
  expect(claimed).toMatchObject({
    type: 'card.lease.claimed',
    sequence: 2,
    actor: { type: 'agent', id: 'drafter-7' },
    previous: { column_id: desk.ready, state: 'ready' },
    data: {
      card: { state: 'leased' },
      lease: { id: held.lease_id, agent: 'drafter-7', attempt: 1, expires_at: held.expires_at },
      run: null,
    },
  });
  expect(completed).toMatchObject({
    type: 'card.lease.completed',
    sequence: 3,
    column_id: desk.done,
    previous: { column_id: desk.ready, state: 'leased' },
    data: {
      card: { state: 'done', column_id: desk.done, lease: null },
      lease: { id: held.lease_id },
      run: { number: 1, outcome: 'completed', summary: 'Done.', error: null },
    },
  });
});

test('all events of a card carry the trace of whoever made it, and those of its board none', async () => {
  const { world, desk, follower } = await start();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const { value: card } = await make(world, desk, {}, { traceparent });
  const worker = world.agent('worker-1');
  const held = await mustClaim(world.main, worker, desk.queue);
  expect(held.card.traceparent).toBe(traceparent);
  await patchCard(world.main, world.admin, { card: card.id, title: 'Another', properties: { a: 1 } });
  await release(world.main, worker, held);
  await pauseColumn(world.main, world.admin, { board: desk.board.id, column: desk.ready });
  await follower.pump();

  const events = await wholeFeed(world, desk.board.id);
  expect(events.map(({ type, traceparent: its }) => [type, its])).toEqual([
    ['card.created', traceparent],
    ['card.lease.claimed', traceparent],
    ['card.updated', traceparent],
    ['card.lease.released', traceparent],
    ['column.paused', null],
  ]);
});

test('every event fits the document', async () => {
  const { world, desk, follower } = await start({ max_attempts: 1 });
  await made(world, desk);
  const worker = world.agent('worker-1');
  await fail(world.main, worker, await mustClaim(world.main, worker, desk.queue), { reason: 'no luck' });
  await pauseColumn(world.main, world.admin, { board: desk.board.id, column: desk.ready });
  await follower.pump();

  const events = await wholeFeed(world, desk.board.id);
  expect(typesOf(events)).toEqual([
    'card.created',
    'card.lease.claimed',
    'card.lease.failed',
    'card.lease.deadlettered',
    'column.paused',
  ]);
  for (const event of events) expect(EventAnswer.parse(event)).toEqual(event);
  expect(follower.reported).toEqual([]);
});

test('an event of a column counts in its board’s sequence and names the column', async () => {
  const { world, desk, follower } = await start();
  await pauseColumn(world.main, world.admin, { board: desk.board.id, column: desk.ready });
  await follower.pump();

  const [paused] = await wholeFeed(world, desk.board.id);
  expect(paused).toMatchObject({
    id: `evt_${desk.board.id.slice(4)}_${paused?.sequence}`,
    type: 'column.paused',
    column_id: desk.ready,
    card_id: null,
    data: {
      card: null,
      board: { id: desk.board.id, slug: desk.board.slug },
      column: { id: desk.ready, name: 'Ready', role: 'work' },
    },
  });
});

test('no event holds a lease token or the nonce within it', async () => {
  const { world, desk, follower } = await start();
  const card = await made(world, desk);
  const worker = world.agent('worker-1');
  const nonces: unknown[] = [];
  const tokens: string[] = [];
  for (const ending of [release, complete]) {
    const held = await mustClaim(world.main, worker, desk.queue);
    tokens.push(held.lease_token);
    nonces.push((await world.main.store.get(jobKey(card.id)))?.['nonce']);
    await ending(world.main, worker, held);
  }
  await follower.pump();

  const sent = follower.sent.map(({ text }) => text).join('\n');
  expect(follower.sent).toHaveLength(5);
  for (const secret of [...tokens, ...nonces]) {
    expect(typeof secret).toBe('string');
    expect(sent).not.toContain(secret);
  }
});

test('of a long summary an event carries the first line, cut to 400 characters', async () => {
  const { world, desk, follower } = await start();
  const card = await made(world, desk);
  const worker = world.agent('worker-1');
  const held = await mustClaim(world.main, worker, desk.queue);
  await complete(world.main, worker, held, { summary: `${'𝒜'.repeat(1_000)}\nsecond line` });
  await follower.pump();

  const completed = (await history(world, card)).at(-1);
  expect(completed?.data.run?.summary).toBe('𝒜'.repeat(400));
});

test('an event tells of the attempt that it ended, not of what became of that run later', async () => {
  const { world, desk, follower } = await start();
  const card = await made(world, desk);
  const late = world.agent('late');
  const held = await mustClaim(world.main, late, desk.queue, { lease_ttl_seconds: 5 });
  world.clock.advance(6_000);
  await mustClaim(world.main, world.agent('next'), desk.queue);
  await follower.pump();

  const [, , expired, claimed] = await history(world, card);
  expect(expired).toMatchObject({
    type: 'card.lease.expired',
    actor: { type: 'system', id: 'leaseboard' },
    data: { lease: { id: held.lease_id, agent: 'late' }, run: { number: 1, outcome: 'expired' } },
  });
  expect(claimed).toMatchObject({
    type: 'card.lease.claimed',
    data: { lease: { agent: 'next', attempt: 2 }, run: null },
  });
});

test('a card that cannot be formatted goes out as ids and type, and the next card whole', async () => {
  const { world, desk, follower } = await start();
  const poison = await made(world, desk);
  const good = await made(world, desk);
  // Beyond what a date can say: the view throws on it.
  const set = { created_at: 9e15 };
  await world.main.store.write({ kind: 'update', key: cardKey(poison.id), set, remove: [] });
  const [outcome] = await follower.pump();

  expect(outcome).toEqual({ events: 2, failed: [] });
  const [bare, whole] = await wholeFeed(world, desk.board.id);
  expect(bare).toMatchObject({
    id: `evt_${poison.id.slice(4)}_1`,
    type: 'card.created',
    timestamp: poison.created_at,
    card_id: poison.id,
    column_id: desk.ready,
    actor: { type: 'person', id: 'admin' },
    data: { card: null, lease: null, run: null },
  });
  expect(whole).toMatchObject({ card_id: good.id, data: { card: { id: good.id } } });
  expect(follower.reported).toEqual([
    { message: 'event goes out as ids and type', fields: { event_id: bare?.id, reason: 'RangeError' } },
  ]);
});

test('a card written by a newer version goes out as ids and type, with its new type', async () => {
  const { world, desk, follower } = await start();
  const card = await made(world, desk);
  await follower.pump();
  const set = {
    op: 'transmute',
    sequence: 2,
    state: 'transmuted',
    updated_at: world.clock.now(),
    ev: [{ type: 'card.transmuted', by: { type: 'robot', id: 'x' } }],
  };
  await world.main.store.write({ kind: 'update', key: jobKey(card.id), set, remove: [] });
  const [outcome] = await follower.pump();

  expect(outcome).toEqual({ events: 1, failed: [] });
  expect((await wholeFeed(world, desk.board.id)).at(-1)).toMatchObject({
    id: `evt_${card.id.slice(4)}_2`,
    type: 'card.transmuted',
    actor: { type: 'system', id: 'unknown' },
  });
});

test('a record without even ids is reported, and holds up nobody', async () => {
  const { world, desk, follower } = await start();
  const broken = { pk: 'crd_broken', sk: 'JOB', op: 'create', sequence: 'three' };
  await world.main.store.write({ kind: 'put', item: broken });
  await made(world, desk);
  const [outcome] = await follower.pump();

  expect(outcome).toEqual({ events: 1, failed: [] });
  expect(follower.reported.map(({ message }) => message)).toEqual(['unreadable stream record']);
  expect(typesOf(await wholeFeed(world, desk.board.id))).toEqual(['card.created']);
});

test('of a deleted card the feed keeps ids and types, and nothing of what it said', async () => {
  const { world, desk, follower } = await start();
  const card = await made(world, desk, { title: 'Salaries of the board' });
  await follower.pump();
  await deleteCard(world.main, world.admin, { card: card.id });
  await follower.pump();

  const events = await wholeFeed(world, desk.board.id);
  expect(typesOf(events)).toEqual(['card.created', 'card.deleted']);
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
  expect(JSON.stringify(events)).not.toContain('Salaries');
});
