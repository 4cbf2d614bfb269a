/** What one endpoint may take of the sender, so that it can do nothing to the others. */
import { describe, expect, test } from 'vitest';
import { endpointKey } from '../../shared/store/keys.ts';
import type { PostResult } from '../../shared/webhooks/post.ts';
import { SLOT_HELD_MS } from '../../shared/webhooks/policy.ts';
import { sendBatch } from '../../shared/webhooks/send-batch.ts';
import { takeSlot } from '../../shared/webhooks/endpoint.ts';
import { answered, scriptedPost, TIMEOUT } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, newBoard } = await createWebhookWorld();
const { clock } = world;
const URL = 'https://hooks.example.com/a';
const report = () => undefined;
const OK = scriptedPost(() => answered(200));

/** A receiver that answers when the test says so. */
function gate() {
  const waiting: ((result: PostResult) => void)[] = [];
  const { post, posted } = scriptedPost(
    async () =>
      new Promise<PostResult>((resolve) => {
        waiting.push(resolve);
      }),
  );
  return {
    post,
    posted,
    open: (result: PostResult) => {
      for (const resolve of waiting.splice(0)) resolve(result);
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('It never came to that');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Each message of the queue as a batch of its own, as many senders as there are. */
const batches = () => world.deliveries.take(100).map((message) => [JSON.stringify(message)]);

async function withCards(count: number) {
  const own = await newBoard();
  const webhook = await own.create({ url: URL });
  for (let made = 0; made < count; made += 1) await own.card();
  await fanOut();
  return { ...own, webhook };
}

describe('an endpoint', () => {
  test('has four sends in flight at most; what finds no slot comes back within seconds', async () => {
    const { webhook, deliveries } = await withCards(9);
    const { post, posted, open } = gate();
    const sending = batches().map(async (bodies) => sendBatch({ engine, post, report }, bodies));
    await until(() => posted.length >= 4 && world.deliveries.waiting.length >= 5);
    expect(posted).toHaveLength(4);
    expect(world.deliveries.waiting).toHaveLength(5);
    for (const { due } of world.deliveries.waiting) {
      expect(due - clock.now()).toBeGreaterThanOrEqual(750);
      expect(due - clock.now()).toBeLessThanOrEqual(1_500);
    }
    open(answered(200));
    await Promise.all(sending);
    clock.advance(1_500);
    await send(OK.post);
    expect((await deliveries(webhook)).map(({ status }) => status)).toEqual(Array(9).fill('delivered'));
  });

  test('that hangs holds up no other: the rest of the batch is sent meanwhile', async () => {
    const dead = await withCards(1);
    const healthy = await withCards(3);
    const bodies = world.deliveries.take(10).map((message) => JSON.stringify(message));
    expect(bodies).toHaveLength(4);
    const { post, posted, open } = gate();
    const batch = sendBatch(
      {
        engine,
        report,
        post: async (url, headers, body) =>
          body.includes(dead.board.id) ? post(url, headers, body) : answered(200),
      },
      bodies,
    );
    const deadline = performance.now() + 10_000;
    let statuses: string[] = [];
    while (statuses.filter((status) => status === 'delivered').length < 3 && performance.now() < deadline)
      statuses = (await healthy.deliveries(healthy.webhook)).map(({ status }) => status);
    expect(statuses).toEqual(Array(3).fill('delivered'));
    expect(posted).toHaveLength(1);
    open(TIMEOUT);
    await batch;
    expect((await dead.deliveries(dead.webhook))[0]?.status).toBe('failed');
    world.deliveries.clear();
  });

  test('is probed by one send at a time after three timeouts; the rest go straight to their next time', async () => {
    const { webhook, deliveries } = await withCards(3);
    const timeouts = scriptedPost(() => TIMEOUT);
    await send(timeouts.post);
    expect(timeouts.posted).toHaveLength(3);

    clock.advance(6_000);
    const { post, posted, open } = gate();
    const [probe = [], ...others] = batches();
    const probing = sendBatch({ engine, post, report }, probe);
    await until(() => posted.length === 1);
    await Promise.all(others.map(async (bodies) => sendBatch({ engine, post, report }, bodies)));
    expect(posted).toHaveLength(1);
    const passedOver = (await deliveries(webhook)).filter(({ attempts }) => attempts.length === 2);
    expect(passedOver).toHaveLength(2);
    for (const { attempts, next_attempt_at } of passedOver) {
      expect(attempts[1]).toMatchObject({
        status_code: null,
        duration_ms: 0,
        error: expect.stringContaining('Not sent'),
      });
      expect(Date.parse(next_attempt_at ?? '') - clock.now()).toBeGreaterThanOrEqual(240_000);
    }

    open(answered(200));
    await probing;
    clock.advance(360_000);
    await send(OK.post);
    expect((await deliveries(webhook)).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
  });

  test('is sent a delivery by two senders at once when a copy of its message is: one step of the ladder, both logged', async () => {
    const { webhook, deliveries } = await withCards(1);
    const [bodies = []] = batches();
    const { post, posted, open } = gate();
    const sending = [bodies, bodies].map(async (copy) => sendBatch({ engine, post, report }, copy));
    await until(() => posted.length === 2);
    open(answered(500));
    await Promise.all(sending);
    const [delivery] = await deliveries(webhook);
    expect(delivery?.attempts).toHaveLength(2);
    expect(world.deliveries.waiting).toMatchObject([{ message: { made: 1 } }]);
    world.deliveries.clear();
  });

  test('that took a delivery keeps it delivered, though a copy that was under way fails', async () => {
    const { webhook, deliveries } = await withCards(1);
    const [bodies = []] = batches();
    const { post, posted, open } = gate();
    const late = sendBatch({ engine, post, report }, bodies);
    await until(() => posted.length === 1);
    await sendBatch({ engine, post: OK.post, report }, bodies);
    open(answered(500));
    await late;
    expect(await deliveries(webhook)).toMatchObject([{ status: 'delivered', next_attempt_at: null }]);
    expect(world.deliveries.waiting).toEqual([]);
  });

  test('that stops answering in the middle of a chain is sent no more of it', async () => {
    const { webhook, deliveries } = await withCards(6);
    const timeouts = scriptedPost(() => TIMEOUT);
    await send(timeouts.post);
    expect(timeouts.posted).toHaveLength(3);
    expect((await deliveries(webhook)).map(({ status }) => status)).toEqual(Array(6).fill('failed'));
    world.deliveries.clear();
  });

  test('that is slow gives up its place in the batch after a while, and gets the rest later', async () => {
    const { webhook, deliveries } = await withCards(4);
    const slow = scriptedPost(() => {
      clock.advance(2_000);
      return answered(200);
    });
    await sendBatch(
      { engine, post: slow.post, report },
      world.deliveries.take().map((message) => JSON.stringify(message)),
    );
    expect(slow.posted).toHaveLength(3);
    expect(world.deliveries.waiting).toHaveLength(1);
    clock.advance(1_500);
    await send(OK.post);
    expect((await deliveries(webhook)).map(({ status }) => status)).toEqual(Array(4).fill('delivered'));
  });

  test('gets a slot back whose sender was killed', async () => {
    const { webhook, board, deliveries } = await withCards(1);
    for (let taken = 0; taken < 4; taken += 1) {
      const seen = { pk: '', sk: '', v: 1, board_id: board.id };
      const answer = await takeSlot(engine.store, board.id, webhook.id, seen, clock.now());
      expect(answer).toMatchObject({ slot: {} });
    }
    await send(OK.post);
    expect((await deliveries(webhook))[0]?.status).toBe('pending');
    clock.advance(SLOT_HELD_MS);
    await send(OK.post);
    expect((await deliveries(webhook))[0]?.status).toBe('delivered');
    const endpoint = await engine.store.get(endpointKey(webhook.id));
    expect(Object.keys(endpoint ?? {}).filter((name) => name.startsWith('slot_'))).toHaveLength(3);
  });
});
