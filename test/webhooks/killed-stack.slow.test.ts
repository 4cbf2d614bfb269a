/**
 * The promise of webhooks, from outside: a receiver that was there before any work gets every transition, with the
 * whole stack killed (kill -9, database, queue and all) and started again in the middle of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LeaseboardClient, type BoardEvent } from '../../client/index.ts';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { startKillableStack, STACK_TOKEN } from '../support/killable-stack.ts';
import { receiverForTest, status } from './support/receiver.ts';

/** Two starts of the stack, and the half minute after which a lost message is queued again, beside other tests. */
vi.setConfig({ testTimeout: 400_000 });

const LIMIT_MS = 240_000;
/** Enough tries to outlast a start of the stack. */
const PATIENT = { retries: 100 };
/** Cards that are drained: `KILLED_STACK_CARDS=1000` where the machine is free for it. */
const CARDS = Number(process.env['KILLED_STACK_CARDS'] ?? 40);
const WORKERS = 4;

async function drain(client: LeaseboardClient, board: string, column: string, finished: () => boolean) {
  while (!finished()) {
    const claim = await client.columns.claimNext(board, column, {}, PATIENT);
    if (claim.card === null) {
      await sleep(50);
      continue;
    }
    const { lease_id, lease_token } = claim;
    await client.leases.complete(lease_id, { lease_token, summary: 'done' }, PATIENT);
  }
}

test('every transition reaches its receiver, under one id and in bytes of its own, though the stack is killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'leaseboard-hooks-'));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const options = ['--data', directory, '--reaper', '2'];
  const first = await startKillableStack(port, options);
  onTestFinished(first.kill);
  const client = new LeaseboardClient({ url: first.url, token: STACK_TOKEN });
  const board = await client.boards.create({ name: 'Killed' });
  // Every third event has to come twice.
  let calls = 0;
  const receiver = await receiverForTest((response, request) => {
    calls += 1;
    status(calls % 3 === 0 ? 503 : 200)(response, request);
  });
  const { secret } = await client.webhooks.create(board.id, { url: receiver.url });
  const library = new Webhook(secret);
  const seen = new Map<string, BoardEvent>();
  const completed = () => [...seen.values()].filter(({ type }) => type === 'card.lease.completed').length;
  const verifyAll = () => {
    for (const { body, headers } of receiver.received.splice(0)) {
      const event = library.verify(body, { ...headers }) as BoardEvent;
      expect(headers['webhook-id']).toBe(event.id);
      const before = seen.get(event.id);
      if (before === undefined) seen.set(event.id, event);
      else expect(event).toEqual(before);
    }
  };
  const verifying = setInterval(verifyAll, 100);
  onTestFinished(() => clearInterval(verifying));

  const ready = board.columns.find(({ queue }) => queue)?.id ?? '';
  const cards: string[] = [];
  for (let at = 0; at < CARDS; at += 20) {
    const inputs = Array.from({ length: Math.min(20, CARDS - at) }, (_, row) => ({
      title: `Card ${at + row}`,
      column_id: ready,
    }));
    const { items } = await client.cards.createBatch(board.id, inputs);
    cards.push(...items.flatMap((row) => ('card' in row ? [row.card.id] : [])));
  }
  const working = Array.from({ length: WORKERS }, async (_, number) => {
    const worker = new LeaseboardClient({ url: client.url, token: STACK_TOKEN, agent: `worker-${number}` });
    await drain(worker, board.id, ready, () => completed() === CARDS);
  });
  await waitUntil('a third to be done', LIMIT_MS, () => completed() >= CARDS / 3);
  await first.kill();
  const second = await startKillableStack(port, options);
  onTestFinished(second.kill);
  // Three events a card; who made them is not asked, so that what is missing shows as what it is.
  await waitUntil('every event', LIMIT_MS, () => seen.size >= CARDS * 3);
  await Promise.all(working);

  const perCard = Map.groupBy(seen.values(), ({ card_id }) => card_id);
  expect(new Set(perCard.keys())).toEqual(new Set(cards));
  for (const events of perCard.values()) {
    const inOrder = events.toSorted((a, b) => a.sequence - b.sequence);
    expect(inOrder.map(({ sequence }) => sequence)).toEqual(inOrder.map((_, at) => at + 1));
    expect(inOrder.at(-1)?.type).toBe('card.lease.completed');
  }
  console.log(`${seen.size} events of ${CARDS} cards in ${calls} deliveries`);
});
