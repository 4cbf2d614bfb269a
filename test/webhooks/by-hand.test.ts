/** Sends that somebody asks for: tests, and deliveries once more. They count neither for nor against the endpoint. */
import { describe, expect, test } from 'vitest';
import { getWebhook } from '../../shared/verbs/get-webhook.ts';
import { listDeliveries } from '../../shared/verbs/list-deliveries.ts';
import { patchWebhook } from '../../shared/verbs/patch-webhook.ts';
import { redeliver } from '../../shared/verbs/redeliver.ts';
import { testWebhook } from '../../shared/verbs/test-webhook.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { verifiedBy } from './support/verified-by.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, sendNext, newBoard } = await createWebhookWorld();
const { admin } = world;
const URL = 'https://hooks.example.com/a';
const OK = scriptedPost(() => answered(200));

describe('testing a webhook', () => {
  test('sends a signed event of its own and answers how it went', async () => {
    const { create, board, happened, deliveries } = await newBoard();
    const webhook = await create({ url: URL, types: ['card.moved'] });
    const { post, posted } = scriptedPost(() => answered(503, { excerpt: 'not yet' }));
    const place = { board: board.id, webhook: webhook.id };
    const [tested] = await Promise.all([testWebhook(engine, admin, place), sendWhenQueued(post)]);
    expect(tested).toMatchObject({
      type: 'webhook.test',
      status: 'failed',
      next_attempt_at: null,
      attempts: [{ status_code: 503, response_excerpt: 'not yet' }],
    });
    const [sent] = posted;
    if (sent === undefined) throw new Error('A delivery was expected');
    expect(verifiedBy(webhook.secret, sent)).toMatchObject({
      type: 'webhook.test',
      id: tested.event_id,
      sequence: 1,
    });
    expect(await happened()).toEqual([]);
    expect(await getWebhook(engine, admin, place)).toMatchObject({ failing_since: null });

    await redeliver(engine, admin, { delivery: tested.id });
    await send(OK.post);
    expect(await deliveries(webhook)).toMatchObject([
      { status: 'delivered', attempts: [{ status_code: 503 }, { status_code: 200 }] },
    ]);
  });

  test('works on one that is turned off, and is answered as pending when it takes long', async () => {
    const { create, board } = await newBoard();
    const webhook = await create({ url: URL });
    const place = { board: board.id, webhook: webhook.id };
    await patchWebhook(engine, admin, { ...place, enabled: false });
    const pending = await testWebhook(engine, admin, place);
    expect(pending).toMatchObject({ status: 'pending', attempts: [] });
    await send(OK.post);
    const { items } = await listDeliveries(engine, admin, { ...place, limit: 10 });
    expect(items).toMatchObject([{ id: pending.id, status: 'delivered' }]);
    expect(await getWebhook(engine, admin, place)).toMatchObject({ enabled: false, last_delivered_at: null });
  });
});

async function sendWhenQueued(post: typeof OK.post): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (world.deliveries.waiting.length === 0 && performance.now() < deadline)
    await new Promise((resolve) => setImmediate(resolve));
  await send(post);
}

describe('redelivering', () => {
  test('sends the same bytes under the same id once, though the card has changed, and heals nothing', async () => {
    const { create, card, deliveries, board } = await newBoard();
    const webhook = await create({ url: URL });
    await card({ title: 'As it was' });
    await fanOut();
    const { post, posted } = scriptedPost(() => answered(500));
    while (await sendNext(post));
    const [exhausted] = await deliveries(webhook);
    expect(exhausted?.status).toBe('exhausted');
    await fanOut();
    world.deliveries.clear();
    await patchWebhook(engine, admin, { board: board.id, webhook: webhook.id, enabled: false });

    const asked = await redeliver(engine, admin, { delivery: exhausted?.id ?? '' });
    expect(asked).toMatchObject({ id: exhausted?.id, status: 'pending' });
    await send(post);
    expect(world.deliveries.waiting).toEqual([]);
    expect((await deliveries(webhook)).at(-1)).toMatchObject({ status: 'exhausted' });
    expect((await deliveries(webhook)).at(-1)?.attempts).toHaveLength(11);

    const taken = scriptedPost(() => answered(200));
    await redeliver(engine, admin, { delivery: exhausted?.id ?? '' });
    await send(taken.post);
    expect((await deliveries(webhook)).at(-1)).toMatchObject({ status: 'delivered' });
    expect(taken.posted[0]?.body).toBe(posted[0]?.body);
    expect(taken.posted[0]?.headers['webhook-id']).toBe(posted[0]?.headers['webhook-id']);
    const after = await getWebhook(engine, admin, { board: board.id, webhook: webhook.id });
    expect(after).toMatchObject({
      enabled: false,
      last_delivered_at: null,
      failing_since: expect.any(String),
    });
  });

  test('of one that is still being tried leaves its next attempt where it was, until it succeeds', async () => {
    const { create, card, deliveries } = await newBoard();
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    const { post } = scriptedPost(() => answered(500));
    for (let attempt = 0; attempt < 3; attempt += 1) await sendNext(post);
    const [before] = await deliveries(webhook);
    await redeliver(engine, admin, { delivery: before?.id ?? '' });
    await send(post);
    const [between] = await deliveries(webhook);
    expect(between).toMatchObject({ status: 'failed', next_attempt_at: before?.next_attempt_at });
    expect(between?.attempts).toHaveLength(4);
    await redeliver(engine, admin, { delivery: before?.id ?? '' });
    await send(OK.post);
    expect(await deliveries(webhook)).toMatchObject([{ status: 'delivered', next_attempt_at: null }]);
    const late = scriptedPost(() => answered(200));
    while (await sendNext(late.post));
    expect(late.posted).toEqual([]);
  });
});
