/**
 * The promise of the feed, from outside: a reader that began before any work sees every transition, with the whole
 * stack killed (kill -9, database and all) and started again in the middle of it.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LeaseboardClient, type BoardEvent } from '../../client/index.ts';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';

/** Two starts of the stack and a queue drained over HTTP, beside other tests. */
vi.setConfig({ testTimeout: 300_000 });

const ROOT = new URL('../../', import.meta.url).pathname;
const TOKEN = `lb_test_${'s'.repeat(32)}`;
const START_LIMIT_MS = 90_000;
const WORKERS = 4;
/** Enough tries to outlast a start of the stack. */
const PATIENT = { retries: 100 };

/** Cards that are drained; a thousand where the machine is free for it. */
/** Cards that are drained: `KILLED_STACK_CARDS=1000` where the machine is free for it. */
const CARDS = Number(process.env['KILLED_STACK_CARDS'] ?? 60);

interface Stack {
  /** Ends every process of it at once, as a power cut would. */
  readonly kill: () => Promise<void>;
}

async function startStack(port: number, directory: string): Promise<Stack> {
  const options = ['--port', String(port), '--data', directory, '--admin-token', TOKEN, '--no-demo'];
  const child = spawn('node', ['local/start.ts', ...options], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = child.pid ?? 0;
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const kill = async () => {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
    await ended;
  };
  onTestFinished(kill);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await waitUntil('the stack to be ready', START_LIMIT_MS, () => output.includes('ready at'));
  return { kill };
}

/** Follows a board's feed from its oldest event, through everything, until `isEnough`. */
async function followFeed(
  client: LeaseboardClient,
  board: string,
  isEnough: (seen: readonly BoardEvent[]) => boolean,
) {
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

const isDone = ({ type }: BoardEvent): boolean => type === 'card.lease.completed';

test('no transition is missing from the feed, and none has two ids, though the stack is killed in between', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'leaseboard-killed-'));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const first = await startStack(port, directory);
  const client = new LeaseboardClient({ url: `http://127.0.0.1:${port}`, token: TOKEN });
  const board = await client.boards.create({ name: 'Killed' });
  const ready = board.columns.find(({ queue }) => queue)?.id ?? '';
  let completed = 0;
  const done = (seen: readonly BoardEvent[]) => {
    completed = new Set(seen.filter(isDone).map(({ card_id }) => card_id)).size;
    return completed === CARDS;
  };
  const following = followFeed(client, board.id, done);

  const cards: string[] = [];
  for (let at = 0; at < CARDS; at += 20) {
    const inputs = Array.from({ length: 20 }, (_, row) => ({ title: `Card ${at + row}`, column_id: ready }));
    const { items } = await client.cards.createBatch(board.id, inputs);
    cards.push(...items.flatMap((row) => ('card' in row ? [row.card.id] : [])));
  }
  expect(cards).toHaveLength(CARDS);
  const working = Array.from({ length: WORKERS }, async (_, number) => {
    const worker = new LeaseboardClient({ url: client.url, token: TOKEN, agent: `worker-${number}` });
    await drain(worker, board.id, ready, () => completed === CARDS);
  });
  await waitUntil('a third to be done', START_LIMIT_MS, () => completed >= CARDS / 3);
  await first.kill();
  const second = await startStack(port, directory);
  const seen = await following;
  await Promise.all(working);

  const ofCards = seen.filter(({ card_id }) => card_id !== null);
  const perCard = Map.groupBy(ofCards, ({ card_id }) => card_id);
  expect(new Set(perCard.keys())).toEqual(new Set(cards));
  for (const [card = '', events] of perCard) {
    const bySequence = Map.groupBy(events, ({ sequence }) => sequence);
    const sequences = [...bySequence.keys()].sort((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, at) => at + 1));
    for (const same of bySequence.values()) {
      expect(new Set(same.map(({ id }) => id)).size).toBe(1);
      expect(new Set(same.map((event) => JSON.stringify(event))).size).toBe(1);
    }
    expect(bySequence.get(sequences.length)?.[0]?.type).toBe('card.lease.completed');
    const first = events
      .map(({ sequence }) => sequence)
      .filter((sequence, at, all) => all.indexOf(sequence) === at);
    expect(first).toEqual(sequences);
    expect((await client.cards.get(card ?? '')).state).toBe('done');
  }
  const repeats = ofCards.length - new Set(ofCards.map(({ id }) => id)).size;
  console.log(`${ofCards.length} events of ${CARDS} cards, ${repeats} of them repeats`);
  await second.kill();
});
