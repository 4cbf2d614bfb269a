/**
 * The promise of the feed, from outside: a reader that began before any work sees every transition, with the workers
 * and the whole stack killed (kill -9, database and all) and started again in the middle of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { BoardEvent } from '../../client/index.ts';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { CARDS, createDrain, fill, startWorkers, type Drain } from '../support/killable-drain.ts';
import { startKillableStack } from '../support/killable-stack.ts';

/** Two starts of the stack and a queue drained over HTTP, beside other tests. */
vi.setConfig({ testTimeout: 700_000 });

const LIMIT_MS = 240_000;
/** Enough tries to outlast a start of the stack. */
const PATIENT = { retries: 100 };

/** Follows a board's feed from its oldest event, through everything, until `isEnough`. */
async function followFeed(
  { client, board }: Drain,
  isEnough: (seen: readonly BoardEvent[]) => boolean,
): Promise<BoardEvent[]> {
  const seen: BoardEvent[] = [];
  let since: string | undefined;
  while (!isEnough(seen)) {
    const query = { limit: 50, wait_seconds: 2, ...(since === undefined ? {} : { since }) };
    const page = await client.events.list(board, query, PATIENT);
    expect(page.expired).toBe(false);
    seen.push(...page.items);
    since = page.next_cursor;
  }
  return seen;
}

const isDone = ({ type }: BoardEvent): boolean => type === 'card.lease.completed';

test('no transition is missing from the feed, and none has two ids, though workers and stack are killed in between', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'leaseboard-killed-'));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const options = ['--data', directory];
  const first = await startKillableStack(port, options);
  onTestFinished(first.kill);
  const drain = await createDrain(first.url);
  let completed = 0;
  const following = followFeed(drain, (seen) => {
    completed = new Set(seen.filter(isDone).map(({ card_id }) => card_id)).size;
    return completed === CARDS;
  });

  const cards = await fill(drain);
  expect(cards).toHaveLength(CARDS);
  const killWorkers = startWorkers(drain);
  onTestFinished(killWorkers);
  await waitUntil('a third to be done', LIMIT_MS, () => completed >= CARDS / 3);
  await Promise.all([killWorkers(), first.kill()]);
  const second = await startKillableStack(port, options);
  onTestFinished(second.kill);
  onTestFinished(startWorkers(drain));
  const seen = await following;

  const ofCards = seen.filter(({ card_id }) => card_id !== null);
  const perCard = Map.groupBy(ofCards, ({ card_id }) => card_id);
  expect(new Set(perCard.keys())).toEqual(new Set(cards));
  for (const [card, events] of perCard) {
    const bySequence = Map.groupBy(events, ({ sequence }) => sequence);
    // In the order in which they came first: a repeat may come at any time.
    expect([...bySequence.keys()]).toEqual(Array.from({ length: bySequence.size }, (_, at) => at + 1));
    for (const same of bySequence.values()) {
      expect(new Set(same.map(({ id }) => id)).size).toBe(1);
      expect(new Set(same.map((event) => JSON.stringify(event))).size).toBe(1);
    }
    expect(bySequence.get(bySequence.size)?.[0]?.type).toBe('card.lease.completed');
    expect((await drain.client.cards.get(card ?? '')).state).toBe('done');
  }
  const repeats = ofCards.length - new Set(ofCards.map(({ id }) => id)).size;
  const expired = ofCards.filter(({ type }) => type === 'card.lease.expired').length;
  console.log(
    `${ofCards.length} events of ${CARDS} cards, ${repeats} of them repeats, ${expired} of leases lost`,
  );
});
