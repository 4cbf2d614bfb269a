/** How the attempts of a delivery, and the life of a webhook, may end. */
import { describe, expect, test } from 'vitest';
import { eventKey } from '../../shared/store/keys.ts';
import { enableWebhook } from '../../shared/verbs/enable-webhook.ts';
import { listEvents } from '../../shared/verbs/list-events.ts';
import { LADDER_MS } from '../../shared/webhooks/policy.ts';
import { sendBatch } from '../../shared/webhooks/send-batch.ts';
import { answered, scriptedPost, TIMEOUT } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, sendNext, newBoard, reported } = await createWebhookWorld();
const { admin, clock } = world;
const URL = 'https://hooks.example.com/a';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const failing = scriptedPost(() => answered(500));

describe('a delivery', () => {
  test('is tried ten times over three days, then exhausted, and said so once', async () => {
    const { board, create, card, deliveries, look, happened } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    const { post, posted } = scriptedPost(() => answered(500));
    const times: number[] = [];
    while (await sendNext(post)) times.push(clock.now());
    expect(posted).toHaveLength(10);
    for (const [at, time] of times.entries()) {
      const wait = time - (times[at - 1] ?? time);
      expect(wait).toBeGreaterThanOrEqual((LADDER_MS[at] ?? 0) * 0.8);
      expect(wait).toBeLessThanOrEqual((LADDER_MS[at] ?? 0) * 1.2 + 1);
    }
    expect(new Set(posted.map(({ body }) => body)).size).toBe(1);
    const [delivery] = await deliveries(webhook);
    expect(delivery).toMatchObject({ status: 'exhausted', next_attempt_at: null });
    expect(delivery?.attempts).toHaveLength(10);
    expect(await look(webhook)).toMatchObject({ enabled: true, failing_since: expect.any(String) });

    await fanOut();
    expect((await happened()).filter((type) => type === 'webhook.failing')).toHaveLength(1);
    expect(reported.map(({ message }) => message)).toEqual(['webhook.failing']);
    const { items } = await listEvents(engine, admin, { board: board.id, limit: 100, wait_seconds: 0 });
    expect(items.at(-1)).toMatchObject({
      type: 'webhook.failing',
      card_id: null,
      actor: { type: 'system' },
      data: { webhook: { id: webhook.id }, reason: expect.stringContaining('Only failures since') },
    });
    world.deliveries.clear();
  });

  test.each([
    ['a redirect, which is not followed', answered(302)],
    ['a refusal', answered(404)],
    ['an answer that is none', answered(101)],
    ['no answer', TIMEOUT],
    ['no receiver', { problem: 'failed' as const, error: 'The request failed: ECONNREFUSED' }],
  ])('is tried again after %s', async (_what, result) => {
    const { create, card, deliveries } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    await send(scriptedPost(() => result).post);
    expect(await deliveries(webhook)).toMatchObject([
      { status: 'failed', next_attempt_at: expect.any(String) },
    ]);
    world.deliveries.clear();
  });

  test('waits as long as its receiver asks, up to twice its wait', async () => {
    const { create, card } = await newBoard();
    await create({ url: URL });
    await card();
    await fanOut();
    await send(scriptedPost(() => answered(429, { retryAfter: '9' })).post);
    expect((world.deliveries.waiting[0]?.due ?? 0) - clock.now()).toBe(9_000);
    await sendNext(scriptedPost(() => answered(503, { retryAfter: '86400' })).post);
    expect((world.deliveries.waiting[0]?.due ?? 0) - clock.now()).toBe(600_000);
    world.deliveries.clear();
  });

  test('of an event that is no longer kept is given up, which says nothing of the endpoint', async () => {
    const { create, card, deliveries, look } = await newBoard();
    const webhook = await create({ url: URL });
    const id = await card();
    await fanOut();
    await engine.store.write({ kind: 'delete', key: eventKey(id, 1) });
    const { post, posted } = scriptedPost(() => answered(200));
    await send(post);
    expect(posted).toEqual([]);
    expect(await deliveries(webhook)).toMatchObject([
      { status: 'aborted', attempts: [{ error: 'The event is no longer kept' }], request: { body: null } },
    ]);
    expect(await look(webhook)).toMatchObject({
      enabled: true,
      failing_since: null,
      last_delivered_at: null,
    });
  });

  test('is given up at its receiver’s word, and the webhook goes on', async () => {
    const { create, card, deliveries, look } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    await send(scriptedPost(() => answered(400, { command: 'abort-message' })).post);
    expect(await deliveries(webhook)).toMatchObject([{ status: 'aborted', next_attempt_at: null }]);
    expect(await look(webhook)).toMatchObject({ enabled: true });
    expect(world.deliveries.waiting).toEqual([]);
  });
});

test('two senders that see a day of failures at the same moment report it once', async () => {
  const { create, card, happened } = await newBoard();
  await create({ url: URL });
  await card();
  await card();
  await fanOut();
  await send(failing.post);
  clock.advance(DAY_MS);
  const batches = world.deliveries.take().map((message) => [JSON.stringify(message)]);
  expect(batches).toHaveLength(2);
  const told = reported.length;
  let waiting = 0;
  const both = Promise.withResolvers<void>();
  const { post } = scriptedPost(async () => {
    waiting += 1;
    if (waiting === 2) both.resolve();
    await both.promise;
    return answered(500);
  });
  const report = (message: string) => void reported.push({ message, fields: {} });
  await Promise.all(batches.map(async (bodies) => sendBatch({ engine, post, report }, bodies)));
  await fanOut();
  expect((await happened()).filter((type) => type === 'webhook.failing')).toHaveLength(1);
  expect(reported.slice(told).map(({ message }) => message)).toEqual(['webhook.failing']);
  world.deliveries.clear();
});

describe('a webhook is disabled', () => {
  test.each([
    ['when its receiver is gone', answered(410), 'gone', 'aborted'],
    ['at its receiver’s word', answered(400, { command: 'disable' }), 'asked', 'aborted'],
    [
      'at its receiver’s word, which took the event',
      answered(200, { command: 'disable' }),
      'asked',
      'delivered',
    ],
  ])('%s', async (_when, result, reason, status) => {
    const { create, card, deliveries, look, happened } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await card();
    await fanOut();
    const { post, posted } = scriptedPost(() => result);
    await send(post);
    expect(posted).toHaveLength(1);
    const statuses = (await deliveries(webhook)).map((delivery) => delivery.status);
    expect(statuses.toSorted()).toEqual(['aborted', status].toSorted());
    expect(await look(webhook)).toMatchObject({ enabled: false, disabled_reason: reason });
    await card();
    await fanOut();
    expect((await happened()).filter((type) => type === 'webhook.disabled')).toHaveLength(1);
    expect(world.deliveries.waiting).toEqual([]);
    expect(await deliveries(webhook)).toHaveLength(2);
  });

  test('after five days of nothing but failures, and is heard of (hermes #103569, #59890, #59269)', async () => {
    const { create, card, look, happened } = await newBoard();
    const webhook = await create({ url: URL });
    const began = clock.now();
    for (let day = 0; day < 7 && (await look(webhook)).enabled; day += 1) {
      await card();
      await fanOut();
      while (
        world.deliveries.waiting[0] !== undefined &&
        world.deliveries.waiting[0].due < began + (day + 1) * DAY_MS
      )
        await sendNext(failing.post);
      clock.advance(Math.max(0, began + (day + 1) * DAY_MS - clock.now()));
    }
    const { disabled_at, disabled_reason } = await look(webhook);
    expect(disabled_reason).toBe('failing');
    const after = Date.parse(disabled_at ?? '') - began;
    expect(after).toBeGreaterThanOrEqual(5 * DAY_MS);
    expect(after).toBeLessThan(7 * DAY_MS);
    await fanOut();
    const told = (await happened()).filter((type) => type.startsWith('webhook.'));
    expect(told).toEqual(['webhook.failing', 'webhook.disabled']);
    expect(reported.at(-1)).toMatchObject({
      message: 'webhook.disabled',
      fields: { webhook_id: webhook.id },
    });
    world.deliveries.clear();

    await enableWebhook(engine, admin, { board: webhook.board_id, webhook: webhook.id });
    expect(await look(webhook)).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    });
    await card();
    await fanOut();
    await send(failing.post);
    expect(await look(webhook)).toMatchObject({ enabled: true });
    world.deliveries.clear();
  });

  test('not while anything succeeds in between', async () => {
    const { create, card, look } = await newBoard();
    const webhook = await create({ url: URL });
    for (let day = 0; day < 8; day += 1) {
      await card();
      await fanOut();
      for (let attempt = 0; attempt < 4; attempt += 1) await sendNext(failing.post);
      if (day === 4) {
        await card();
        await fanOut();
        await send(scriptedPost(() => answered(200)).post);
      }
      world.deliveries.clear();
      clock.advance(DAY_MS);
    }
    expect(await look(webhook)).toMatchObject({ enabled: true });
  });
});
