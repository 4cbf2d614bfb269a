/** Webhooks on the whole local stack: its own stream, queue and sender, and a receiver beside it. */
import { spawn } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { LeaseboardClient, verifyWebhook } from '../../client/index.ts';
import { startStack, type Stack } from '../../local/stack.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { receiverForTest, status } from './support/receiver.ts';

const LIMIT_MS = 60_000;

let stack: Stack;
let client: LeaseboardClient;

beforeAll(async () => {
  const memory = {
    port: 0,
    directory: null,
    adminToken: null,
    reaperSeconds: null,
    dynamodbUrl: null,
    oidcFile: null,
    demo: false,
  };
  stack = await startStack(memory, (what, error) => console.error(what, error));
  client = new LeaseboardClient({ url: stack.url, token: stack.adminToken });
});

afterAll(async () => stack.stop());

test('a transition reaches its receiver, signed so that the library and the client’s verifier accept it', async () => {
  const receiver = await receiverForTest();
  const board = await client.boards.create({ name: 'Signed' });
  const { secret, id } = await client.webhooks.create(board.id, { url: receiver.url });
  const card = await client.cards.create(board.id, { title: 'Followed' });
  await waitUntil('the event to arrive', LIMIT_MS, () => receiver.received.length > 0);
  const [got] = receiver.received;
  if (got === undefined) throw new Error('Nothing was received');
  expect(new Webhook(secret).verify(got.body, { ...got.headers })).toMatchObject({
    type: 'card.created',
    card_id: card.id,
  });
  expect(await verifyWebhook(got.body, got.headers, secret)).toMatchObject({ valid: true });
  await waitUntil('the delivery to be noted', LIMIT_MS, async () => {
    const { items } = await client.webhooks.deliveries(board.id, id);
    return items[0]?.status === 'delivered';
  });
});

test('a receiver that fails gets the event again after five seconds, by the queue’s own delay', async () => {
  const receiver = await receiverForTest(status(500));
  const board = await client.boards.create({ name: 'Failing' });
  await client.webhooks.create(board.id, { url: receiver.url });
  await client.cards.create(board.id, { title: 'Followed' });
  await waitUntil('the first attempt', LIMIT_MS, () => receiver.received.length === 1);
  const failedAt = Date.now();
  receiver.answer = status(204);
  await waitUntil('the second attempt', LIMIT_MS, () => receiver.received.length === 2);
  expect(Date.now() - failedAt).toBeGreaterThan(3_000);
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

test('a test of a webhook answers how it went', async () => {
  const receiver = await receiverForTest(status(418, {}, 'short and stout'));
  const board = await client.boards.create({ name: 'Tested' });
  const { id } = await client.webhooks.create(board.id, { url: receiver.url });
  expect(await client.webhooks.test(board.id, id)).toMatchObject({
    status: 'failed',
    attempts: [{ status_code: 418, response_excerpt: 'short and stout' }],
  });
});

test('`npm run listen` shows what happens, and forwards it signed', async () => {
  const receiver = await receiverForTest();
  const board = await client.boards.create({ name: 'Listened to' });
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const args = ['local/listen.ts', '--board', board.id, '--forward-to', receiver.url, '--secret', secret];
  const listener = spawn(process.execPath, [...args, '--url', stack.url, '--token', stack.adminToken], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void listener.kill());
  let output = '';
  listener.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await waitUntil('it to listen', LIMIT_MS, () => output.includes('Listening'));
  const card = await client.cards.create(board.id, { title: 'Heard of' });
  await waitUntil('the line', LIMIT_MS, () => output.includes(`card.created  ${card.key}  by admin -> 200`));
  const [got] = receiver.received;
  expect(new Webhook(secret).verify(got?.body ?? '', { ...got?.headers })).toMatchObject({
    card_id: card.id,
  });
});
