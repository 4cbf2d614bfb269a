import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { listEvents } from '../../shared/verbs/list-events.ts';
import { patchWebhook } from '../../shared/verbs/patch-webhook.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { columnNamed } from '../boards/support/board.ts';
import { receiverForTest, status } from './support/receiver.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const HOUR_MS = 3_600_000;
const { world, engine, board, fanOut, send, sendNext, create, card, deliveries, reported } =
  await createWebhookWorld();
const { admin } = world;
const URL = 'https://hooks.example.com/a';

describe('a webhook', () => {
  test('gets each event once, as the feed has it, signed so that the independent library accepts it', async () => {
    const receiver = await receiverForTest();
    const webhook = await create({ url: receiver.url });
    const id = await card({ title: 'Zwölf' });
    const column_id = columnNamed(board, 'Triage').id;
    await moveCard(engine, admin, { card: id, column_id });
    await fanOut();
    await send();
    const { items } = await listEvents(engine, admin, { board: board.id, limit: 100, wait_seconds: 0 });
    const own = items.filter((event) => event.card_id === id);
    const bodies = receiver.received.map(({ body, headers }) => {
      // The world's clock is not the wall's: the library is given the moment that the sender signed.
      const signedAt = Number(headers['webhook-timestamp']);
      expect(signedAt).toBe(Math.floor(world.clock.now() / 1_000));
      return verified(webhook.secret, headers, body);
    });
    expect(bodies).toEqual(own);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      own.map((event) => event.id),
    );
    expect((await deliveries(webhook)).map(({ status }) => status)).toEqual(own.map(() => 'delivered'));
  });

  test('gets an event again with the same id and bytes when its receiver failed, signed anew', async () => {
    const webhook = await create({ url: URL });
    await card();
    await fanOut();
    let calls = 0;
    const { post, posted } = scriptedPost(() =>
      answered((calls += 1) === 1 ? 500 : 200, { excerpt: 'broken' }),
    );
    await send(post);
    expect(await deliveries(webhook)).toMatchObject([{ status: 'failed', attempts: [{ status_code: 500 }] }]);
    await sendNext(post);
    expect(posted).toHaveLength(2);
    const [first, second] = posted;
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
    await patchWebhook(engine, admin, { board: board.id, webhook: webhook.id, enabled: false });
  });
});

function verified(secret: string, headers: Readonly<Record<string, string>>, body: string): unknown {
  const wall = Date.now;
  Date.now = () => Number(headers['webhook-timestamp']) * 1_000;
  try {
    return new Webhook(secret).verify(body, { ...headers });
  } finally {
    Date.now = wall;
  }
}

void [HOUR_MS, status, reported];
