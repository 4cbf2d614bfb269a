/** The sender and its table, when an answer of the table is lost or the sender dies between two steps. */
import { describe, expect, test } from 'vitest';
import { endpointKey } from '../../shared/store/keys.ts';
import { rotateSecret } from '../../shared/verbs/rotate-secret.ts';
import type { PostResult } from '../../shared/webhooks/post.ts';
import { sendBatch } from '../../shared/webhooks/send-batch.ts';
import { losingAnswer, SDK_TRIES } from '../support/lost-answers.ts';
import { answered, scriptedPost } from './support/scripted-post.ts';
import { verifiedBy } from './support/verified-by.ts';
import { createWebhookWorld } from './support/webhook-world.ts';

const { world, engine, fanOut, send, newBoard } = await createWebhookWorld();
const { admin } = world;
const URL = 'https://hooks.example.com/a';
const report = () => undefined;

async function withCards(count: number) {
  const own = await newBoard();
  const webhook = await own.create({ url: URL });
  for (let made = 0; made < count; made += 1) await own.card();
  await fanOut();
  const bodies = world.deliveries.take(count).map((message) => JSON.stringify(message));
  return { ...own, webhook, bodies };
}

/** Writes of a chain with one delivery: the slot is taken, the attempt is recorded, the slot is given back. */
describe('a failed attempt whose sender loses the answer to', () => {
  test.each([
    ['taking the slot', 0],
    ['recording it', 1],
    ['giving the slot back', 2],
  ])('%s is logged and counted once, and the next one is queued', async (_what, number) => {
    const { webhook, bodies, deliveries } = await withCards(1);
    const losing = losingAnswer(world, number);
    const { post, posted } = scriptedPost(() => answered(500));
    expect(await sendBatch({ engine: losing.engine, post, report }, bodies)).toEqual([]);
    expect(losing.lost()).toBe(1);
    expect(posted).toHaveLength(1);
    expect(await deliveries(webhook)).toMatchObject([{ status: 'failed', attempts: [{ status_code: 500 }] }]);
    expect(world.deliveries.waiting).toMatchObject([{ message: { made: 1 } }]);
    expect(await engine.store.get(endpointKey(webhook.id))).toMatchObject({ failures: 1 });
    world.deliveries.clear();
  });
});

test('a rotation whose answer was lost on the way to the table still shows the new secret', async () => {
  const { board, create, card } = await newBoard();
  const created = await create({ url: URL });
  const losing = losingAnswer(world, 0);
  const place = { board: board.id, webhook: created.id, grace_seconds: 60 };
  const rotated = await rotateSecret(losing.engine, admin, place);
  expect(losing.lost()).toBe(1);
  const { post, posted } = scriptedPost(() => answered(200));
  await card();
  await fanOut();
  await send(post);
  const [delivery] = posted;
  if (delivery === undefined) throw new Error('A delivery was expected');
  for (const { secret } of [created, rotated]) expect(verifiedBy(secret, delivery)).not.toBeNull();
});

test('a record that fails while the next delivery is under way fails its batch, not its process', async () => {
  const { webhook, bodies, deliveries } = await withCards(2);
  const losing = losingAnswer(world, 1, SDK_TRIES);
  const second = Promise.withResolvers<PostResult>();
  let calls = 0;
  const { post, posted } = scriptedPost(async () => ((calls += 1) === 1 ? answered(200) : second.promise));
  const sending = sendBatch({ engine: losing.engine, post, report }, bodies);
  while (losing.lost() < SDK_TRIES) await new Promise((resolve) => setTimeout(resolve, 5));
  // A turn of the loop later Node would have called the rejection unhandled.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  second.resolve(answered(200));
  expect(await sending).toEqual([0, 1]);

  await sendBatch({ engine, post, report }, bodies);
  expect(posted).toHaveLength(2);
  expect((await deliveries(webhook)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
});

test('what a sender sent that was killed before it could record it is sent again, under the same id and bytes', async () => {
  const { webhook, bodies, deliveries } = await withCards(1);
  const { post, posted } = scriptedPost(async () =>
    posted.length === 1 ? new Promise<PostResult>(() => undefined) : answered(200),
  );
  void sendBatch({ engine, post, report }, bodies);
  while (posted.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await sendBatch({ engine: world.engine(), post, report }, bodies)).toEqual([]);
  const [first, again] = posted;
  expect(again?.body).toBe(first?.body);
  expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(await deliveries(webhook)).toMatchObject([{ status: 'delivered', attempts: [{}] }]);
});
