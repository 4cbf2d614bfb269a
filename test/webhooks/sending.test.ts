import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { reap } from '../../shared/verbs/reap.ts';
import { createCard } from '../../shared/verbs/create-card.ts';
import { listEvents } from '../../shared/verbs/list-events.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { OVERDUE_MS, REQUEUE_PAUSE_MAX_MS } from '../../shared/webhooks/policy.ts';
import { sendBatch } from '../../shared/webhooks/send-batch.ts';
import { columnNamed } from '../boards/support/board.ts';
import { receiverForTest } from './support/receiver.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, sendNext, newBoard, reported } = await createWebhookWorld();
const { admin, clock } = world;
const URL = 'https://hooks.example.com/a';
const OK = scriptedPost(() => answered(200));
const SequenceRead = z.object({ type: z.string(), sequence: z.number() });
const TitleRead = z.object({ data: z.object({ card: z.object({ title: z.string() }) }) });

describe('a webhook', () => {
  test('gets each event once, as the feed has it, signed so that the independent library accepts it', async () => {
    const { board, create, card, deliveries } = await newBoard();
    const receiver = await receiverForTest();
    const webhook = await create({ url: receiver.url });
    const id = await card({ title: 'Zwölf' });
    await moveCard(engine, admin, { card: id, column_id: columnNamed(board, 'Triage').id });
    await fanOut();
    await send();
    const { items } = await listEvents(engine, admin, { board: board.id, limit: 100, wait_seconds: 0 });
    const own = items.filter((event) => event.card_id === id);
    expect(own.map(({ type }) => type)).toEqual(['card.created', 'card.moved']);
    expect(receiver.received.map(({ body, headers }) => verified(webhook.secret, headers, body))).toEqual(
      own,
    );
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      own.map((event) => event.id),
    );
    expect((await deliveries(webhook)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  test('gets titles as they were written, whatever is in them, and its headers hold none of it', async () => {
    const { create, card } = await newBoard();
    const receiver = await receiverForTest();
    const webhook = await create({ url: receiver.url });
    const titles = [
      'a\r\nwebhook-signature: v1,forged\r\n\r\n{}',
      '"}],"type":"card.deleted","x":[{"y":"',
      '</script><img src=x onerror=alert(1)>',
      'nul \0, escape \u001b[31m, separators \u2028\u2029, right to left \u202e',
      '😀'.repeat(250),
      '{{title}} ${title} %s %n ../../etc/passwd',
    ];
    for (const title of titles) await card({ title });
    await fanOut();
    await send();
    const got = receiver.received.map(({ headers, body }) => verified(webhook.secret, headers, body));
    expect(got.map((event) => TitleRead.parse(event).data.card.title)).toEqual(titles);
    const names = new Set(receiver.received.flatMap(({ headers }) => Object.keys(headers)));
    expect([...names].toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
  });

  test('goes on with the trace of whoever made the card, and with none where there is none', async () => {
    const { board, create, card } = await newBoard();
    const receiver = await receiverForTest();
    await create({ url: receiver.url });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const traced = await createCard(engine, admin, { board: board.id, title: 'T', traceparent }, null);
    await card({ title: 'untraced' });
    await fanOut();
    await send();
    const sent = receiver.received.map(({ headers, body }) => ({
      header: headers['traceparent'],
      event: z.object({ card_id: z.string(), traceparent: z.string().nullable() }).parse(JSON.parse(body)),
    }));
    expect(sent.map(({ header }) => header)).toEqual([traceparent, undefined]);
    expect(sent.map(({ event }) => event.traceparent)).toEqual([traceparent, null]);
    expect(sent[0]?.event.card_id).toBe(traced.value.id);
  });

  test('gets an event again with the same id and bytes when its receiver failed, signed anew', async () => {
    const { create, card, deliveries } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    let calls = 0;
    const { post, posted } = scriptedPost(() =>
      (calls += 1) === 1 ? answered(500, { excerpt: 'broken' }) : answered(200),
    );
    await send(post);
    const [failed] = await deliveries(webhook);
    expect(failed).toMatchObject({ status: 'failed', attempts: [{ status_code: 500 }] });
    const wait = Date.parse(failed?.next_attempt_at ?? '') - clock.now();
    expect(wait).toBeGreaterThanOrEqual(4_000);
    expect(wait).toBeLessThanOrEqual(6_000);
    await sendNext(post);
    const [first, second] = posted;
    expect(posted).toHaveLength(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
    expect(await deliveries(webhook)).toMatchObject([
      {
        status: 'delivered',
        next_attempt_at: null,
        attempts: [
          { status_code: 500, response_excerpt: 'broken', error: null, url: URL },
          { status_code: 200 },
        ],
        request: { body: first?.body, headers: { 'webhook-id': first?.headers['webhook-id'] } },
      },
    ]);
    expect(world.deliveries.waiting).toEqual([]);
  });

  test('may get a card’s events out of their order, and `sequence` tells which to drop', async () => {
    const { board, create, card } = await newBoard();
    await create({ url: URL, types: ['card.created', 'card.moved'] });
    const id = await card();
    await fanOut();
    await send(scriptedPost(() => answered(503)).post);
    await moveCard(engine, admin, { card: id, column_id: columnNamed(board, 'Triage').id });
    await fanOut();
    const { post, posted } = scriptedPost(() => answered(200));
    await send(post);
    await sendNext(post);
    const got = posted.map(({ body }) => SequenceRead.parse(JSON.parse(body)));
    expect(got).toEqual([
      { type: 'card.moved', sequence: 2 },
      { type: 'card.created', sequence: 1 },
    ]);
  });

  test('that always fails holds up no other of its board, and keeps what it did not take', async () => {
    const { create, card, deliveries } = await newBoard();
    const bad = await create({ url: 'https://bad.example.com/' });
    const good = await create({ url: 'https://good.example.com/' });
    for (let made = 0; made < 3; made += 1) await card();
    await fanOut();
    const { post } = scriptedPost(({ url }) => answered(url.includes('bad') ? 500 : 204));
    for (let attempt = 0; attempt < 12; attempt += 1) await sendNext(post);
    expect((await deliveries(good)).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
    expect((await deliveries(bad)).map(({ status }) => status)).toEqual(Array(3).fill('failed'));
    world.deliveries.clear();
  });

  test('gets an event once though its record, and its message, came twice', async () => {
    const { create, card, deliveries } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    const { post, posted } = scriptedPost(() => answered(200));
    const records = await fanOut();
    await fanOut(records);
    expect(world.deliveries.waiting).toHaveLength(2);
    const copies = [...world.deliveries.waiting, ...world.deliveries.waiting].map(({ message }) =>
      JSON.stringify(message),
    );
    await send(post);
    await fanOut(records);
    expect(world.deliveries.waiting).toEqual([]);
    await sendBatch({ engine, post, report: () => undefined }, copies);
    expect(posted).toHaveLength(1);
    expect((await deliveries(webhook))[0]?.attempts).toHaveLength(1);
  });

  test('gets what a lost queue had in it, by way of the reaper and not before its time', async () => {
    const { create, card, deliveries } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    world.deliveries.clear();
    // Other stories of this world have left deliveries behind.
    const queuedByReaper = async () => {
      world.deliveries.clear();
      await reap(engine, clock.now() + 60_000);
      return world.deliveries.waiting.filter(({ message }) => message.webhook_id === webhook.id).length;
    };
    expect(await queuedByReaper()).toBe(0);
    clock.advance(OVERDUE_MS);
    expect(await queuedByReaper()).toBe(1);
    // Again when it is late by twice as much, and in the end every ten minutes.
    for (const pause of [OVERDUE_MS, 2 * OVERDUE_MS, 4 * OVERDUE_MS, 8 * OVERDUE_MS, 16 * OVERDUE_MS]) {
      clock.advance(pause - 1);
      expect(await queuedByReaper(), String(pause)).toBe(0);
      clock.advance(1);
      expect(await queuedByReaper(), String(pause)).toBe(1);
    }
    for (let later = 0; later < 2; later += 1) {
      clock.advance(REQUEUE_PAUSE_MAX_MS);
      expect(await queuedByReaper()).toBe(1);
    }
    await send(OK.post);
    expect(await deliveries(webhook)).toMatchObject([{ status: 'delivered' }]);
    clock.advance(2 * REQUEUE_PAUSE_MAX_MS);
    expect(await queuedByReaper()).toBe(0);
  });

  test('gets its next attempt though the message of it was lost', async () => {
    const { create, card, deliveries } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    await send(scriptedPost(() => answered(503)).post);
    world.deliveries.clear();
    clock.advance(6_000 + OVERDUE_MS);
    expect((await reap(engine, clock.now() + 60_000)).requeued).toBeGreaterThanOrEqual(1);
    await send(OK.post);
    expect(await deliveries(webhook)).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }]);
  });
});

test('a message that cannot be read fails alone', async () => {
  const { create, card, deliveries } = await newBoard();
  const webhook = await create({ url: URL });
  await card();
  await fanOut();
  const good = world.deliveries.take().map((message) => JSON.stringify(message));
  const report = vi.fn<(message: string) => void>();
  const bodies = ['not json', ...good, '{"kind":"unknown"}'];
  expect(await sendBatch({ engine, post: OK.post, report }, bodies)).toEqual([0, good.length + 1]);
  expect(report).toHaveBeenCalledTimes(2);
  expect(await deliveries(webhook)).toMatchObject([{ status: 'delivered' }]);
});

test('no secret is in the table, and none in what is reported', async () => {
  const { create, board } = await newBoard();
  const { secret } = await create({ url: URL });
  const { items } = await engine.store.query({ pk: { name: 'pk', value: board.id }, consistent: true });
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
  for (const text of [
    secret.slice(6, 20),
    bytes.toString('base64url').slice(0, 14),
    bytes.toString('hex').slice(0, 20),
  ])
    expect(JSON.stringify([items, reported])).not.toContain(text);
});

/** The world's clock is not the wall's: the library is given the moment that the sender signed. */
function verified(secret: string, headers: Readonly<Record<string, string>>, body: string): unknown {
  expect(headers['webhook-timestamp']).toBe(String(Math.floor(clock.now() / 1_000)));
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  try {
    return new Webhook(secret).verify(body, { ...headers });
  } finally {
    vi.useRealTimers();
  }
}
