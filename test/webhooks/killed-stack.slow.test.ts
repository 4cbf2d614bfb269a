/**
 * The promise of webhooks, from outside: a receiver that was there before any work gets every transition, with the
 * workers and the whole stack killed (kill -9, database, queue and all) and started again in the middle of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { BoardEvent } from '../../client/index.ts';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { CARDS, createDrain, fill, startWorkers } from '../support/killable-drain.ts';
import { startKillableStack } from '../support/killable-stack.ts';
import { receiverForTest, status, type Received } from './support/receiver.ts';

/** Two starts of the stack, and the half minute after which a lost message is queued again, beside other tests. */
vi.setConfig({ testTimeout: 700_000 });

const LIMIT_MS = 240_000;

test('every transition reaches its receiver, under one id and in bytes of its own, though workers and stack are killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'leaseboard-hooks-'));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const options = ['--data', directory, '--reaper', '2'];
  const first = await startKillableStack(port, options);
  onTestFinished(first.kill);
  const drain = await createDrain(first.url);
  // Every third delivery is refused, and has to come again: once, since after a second refusal it waits for minutes.
  let calls = 0;
  const refused = new Set<string>();
  const taken: Received[] = [];
  const receiver = await receiverForTest((response, request) => {
    calls += 1;
    const id = request.headers['webhook-id'] ?? '';
    const isRefused = calls % 3 === 0 && !refused.has(id);
    if (isRefused) refused.add(id);
    else taken.push(request);
    status(isRefused ? 503 : 200)(response, request);
  });
  const { secret } = await drain.client.webhooks.create(drain.board, { url: receiver.url });
  const library = new Webhook(secret);
  const seen = new Map<string, BoardEvent>();
  const verifyAll = () => {
    for (const { body, headers } of taken.splice(0)) {
      const event = library.verify(body, { ...headers }) as BoardEvent;
      expect(headers['webhook-id']).toBe(event.id);
      const before = seen.get(event.id);
      if (before === undefined) seen.set(event.id, event);
      else expect(event).toEqual(before);
    }
  };
  const cards = await fill(drain);
  const killWorkers = startWorkers(drain);
  onTestFinished(killWorkers);
  await waitUntil('a third to be done', LIMIT_MS, () => {
    verifyAll();
    return [...seen.values()].filter(isDone).length >= CARDS / 3;
  });
  await Promise.all([killWorkers(), first.kill()]);
  const second = await startKillableStack(port, options);
  onTestFinished(second.kill);
  onTestFinished(startWorkers(drain));
  await waitUntil('every event', LIMIT_MS, () => {
    verifyAll();
    const perCard = Map.groupBy(seen.values(), ({ card_id }) => card_id);
    return cards.every((card) => isWhole(perCard.get(card) ?? []));
  });

  const ofCards = [...seen.values()].filter(({ card_id }) => card_id !== null);
  expect(new Set(ofCards.map(({ card_id }) => card_id))).toEqual(new Set(cards));
  console.log(`${ofCards.length} events of ${CARDS} cards in ${calls} deliveries`);
});

const isDone = ({ type }: BoardEvent): boolean => type === 'card.lease.completed';

/** From the first on, none missing and none under two ids, to the completion that ends it. */
function isWhole(events: readonly BoardEvent[]): boolean {
  const inOrder = events.toSorted((a, b) => a.sequence - b.sequence);
  const last = inOrder.at(-1);
  return last !== undefined && isDone(last) && inOrder.every(({ sequence }, at) => sequence === at + 1);
}
