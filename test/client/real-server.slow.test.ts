/** The client and the worker runner on a real server: what a fake cannot vouch for. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  abortOf,
  isLeaseboardError,
  LeaseboardClient,
  PLATFORM,
  RetryAfter,
  worker,
  type CardLease,
  type JobContext,
  type Platform,
  type Run,
  type WorkerOptions,
} from '../../client/index.ts';
import { createQueue, type DemoQueue } from '../../demo/board.ts';
import { startOwnStack, type OwnStack } from '../../demo/fleet/own-stack.ts';
import { unpluggable } from '../../demo/unpluggable.ts';

const SOON = { timeout: 20_000, interval: 100 };
/** The shortest that a contract takes: what a lost worker held is back after it. */
const LEASE_TTL_SECONDS = 5;

let stack: OwnStack;
let client: LeaseboardClient;
let boards = 0;

beforeAll(async () => {
  stack = await startOwnStack();
  client = new LeaseboardClient({ ...stack, agent: 'tester' });
}, 120_000);

afterAll(async () => {
  await stack.stop();
});

async function newQueue(): Promise<DemoQueue> {
  const slug = `client-${(boards += 1)}`;
  return createQueue(
    client,
    { slug, name: slug, description: '' },
    { lease_ttl_seconds: LEASE_TTL_SECONDS, backoff_seconds: [0], backoff_jitter: 0 },
  );
}

async function newCard({ board, columnId }: DemoQueue): Promise<string> {
  const card = await client.cards.create(board, { title: 'One', column_id: columnId });
  return card.id;
}

function options({ board }: DemoQueue, agent: string, platform?: Platform): WorkerOptions {
  const own = new LeaseboardClient({ ...stack, agent, platform });
  return { client: own, board, column: 'ready', waitSeconds: 1, handleSignals: false, onEvent: () => {} };
}

async function runsOf(card: string): Promise<readonly Run[]> {
  return (await client.cards.runs(card)).items;
}

/** Works on until it is told to stop. */
function untilAborted(job: JobContext): Promise<never> {
  return new Promise((_, reject) => {
    job.signal.addEventListener('abort', () => reject(job.signal.reason));
  });
}

/** A platform that carries out requests but loses the answers of the first ones that match. */
function losingAnswers(matching: string, times: number, base: Platform = PLATFORM): Platform {
  let left = times;
  return {
    ...base,
    fetch: async (input, init) => {
      const response = await base.fetch(input, init);
      if (left > 0 && typeof input === 'string' && input.includes(matching)) {
        left -= 1;
        await response.body?.cancel();
        throw new TypeError('fetch failed');
      }
      return response;
    },
  };
}

describe('a worker on a real queue', () => {
  test('found by its name completes a card with what the handler returns', async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    await worker(options(queue, 'drafter-1'), (job) => {
      job.handOff({ summary: 'fixed' });
      return { pr: 7 };
    }).run({ untilEmpty: true });
    expect(await client.cards.get(card)).toMatchObject({
      state: 'done',
      output: { pr: 7 },
      summary: 'fixed',
    });
  });

  test('that names a column the board has not is told which there are', async () => {
    const queue = await newQueue();
    const wrong = { ...options(queue, 'drafter-1'), column: 'redy' };
    await expect(worker(wrong, () => 1).run()).rejects.toThrow(/no column "redy"; it has: .*Ready/);
  });

  test('keeps a card for longer than its lease, by heartbeats', async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = worker(options(queue, 'drafter-1'), (job) => {
      job.progress(40, 'half way');
      return promise;
    }).run({ untilEmpty: true });
    const lease = async (): Promise<CardLease | null> => (await client.cards.get(card)).lease;
    await expect.poll(lease, SOON).toMatchObject({ progress: 40, note: 'half way' });
    const claimedAtMs = Date.parse((await lease())?.claimed_at ?? '');
    const heldForMs = async (): Promise<number> =>
      Date.parse((await lease())?.expires_at ?? '') - claimedAtMs;
    await expect.poll(heldForMs, SOON).toBeGreaterThan(2 * LEASE_TTL_SECONDS * 1000);
    resolve();
    await running;
    expect((await runsOf(card)).map((run) => run.outcome)).toEqual(['completed']);
  });

  test('that vanishes loses its card to the next one, which gets its checkpoint', async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    const { platform, unplug } = unpluggable(PLATFORM);
    void worker(options(queue, 'drafter-1', platform), async (job) => {
      await job.checkpoint({ branch: 'fix/1' });
      unplug();
      return new Promise<never>(() => {});
    }).run();
    await expect.poll(async () => (await client.cards.get(card)).lease?.agent, SOON).toBe('drafter-1');
    const resumed: unknown[] = [];
    const second = worker(options(queue, 'drafter-2'), (job) => void resumed.push(job.resumed));
    onTestFinished(() => second.stop());
    void second.run();
    await expect.poll(async () => (await client.cards.get(card)).state, SOON).toBe('done');
    expect(resumed).toEqual([{ branch: 'fix/1' }]);
    expect((await runsOf(card)).map((run) => [run.agent, run.outcome])).toEqual([
      ['drafter-1', 'expired'],
      ['drafter-2', 'completed'],
    ]);
  });

  test('that asks for later gets its attempt back', async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    await worker(options(queue, 'drafter-1'), () => {
      throw new RetryAfter(600, 'model is busy');
    }).run({ untilEmpty: true });
    expect(await client.cards.get(card)).toMatchObject({
      state: 'waiting',
      waiting_on: 'backoff',
      attempt: 0,
    });
    expect((await runsOf(card)).map((run) => run.refunded)).toEqual([true]);
  });

  test('whose card another takes over hears of it and writes nothing more', async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    const jobs: JobContext[] = [];
    const running = worker(options(queue, 'drafter-1'), (job) => {
      jobs.push(job);
      return untilAborted(job);
    }).run({ untilEmpty: true });
    await expect.poll(() => jobs.length, SOON).toBe(1);
    const taken = await client.cards.claim(card, { takeover: true, reason: 'urgent' });
    await running;
    expect(jobs.map((job) => abortOf(job.signal)?.kind)).toEqual(['lease_lost']);
    expect((await client.cards.get(card)).lease?.id).toBe(taken.lease_id);
  });

  test('that is stopped gives its card back at no attempt', async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    const stopped = worker(options(queue, 'drafter-1'), untilAborted);
    const running = stopped.run();
    await expect.poll(async () => (await client.cards.get(card)).state, SOON).toBe('leased');
    await stopped.stop({ graceSeconds: 0 });
    await running;
    expect(await client.cards.get(card)).toMatchObject({ state: 'ready', attempt: 0 });
    expect((await runsOf(card)).map((run) => run.outcome)).toEqual(['released']);
  });

  test('works several cards at once through batches', async () => {
    const queue = await newQueue();
    const cards = await Promise.all([newCard(queue), newCard(queue), newCard(queue)]);
    let together = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await worker({ ...options(queue, 'drafter-1'), concurrency: 3 }, () => {
      together += 1;
      if (together === cards.length) resolve();
      return promise;
    }).run({ untilEmpty: true });
    const states = await Promise.all(cards.map(async (card) => (await client.cards.get(card)).state));
    expect(states).toEqual(['done', 'done', 'done']);
  });
});

describe('answers that are lost on the way', () => {
  test('of a create make no second card', async () => {
    const queue = await newQueue();
    const lossy = new LeaseboardClient({ ...stack, platform: losingAnswers('/cards', 2) });
    const card = await lossy.cards.create(queue.board, { title: 'Once', column_id: queue.columnId });
    expect((await client.cards.list(queue.board)).items.map((item) => item.id)).toEqual([card.id]);
  });

  test('of a claim hand out no second card', async () => {
    const queue = await newQueue();
    await Promise.all([newCard(queue), newCard(queue)]);
    const lossy = new LeaseboardClient({
      ...stack,
      agent: 'drafter-1',
      platform: losingAnswers(':claim-next', 2),
    });
    const claim = await lossy.columns.claimNext(queue.board, queue.columnId);
    const { items } = await client.leases.list(queue.board, { state: 'active' });
    expect(items.map((lease) => lease.id)).toEqual([claim.lease_id]);
  });

  test("of a worker's claim and completion cost neither an attempt nor a second run", async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    const handled: unknown[] = [];
    const lossy = losingAnswers(':complete', 1, losingAnswers(':claim-next', 1));
    await worker(options(queue, 'drafter-1', lossy), (job) => void handled.push(job.fence)).run({
      untilEmpty: true,
    });
    expect(handled).toEqual([1]);
    expect((await runsOf(card)).map((run) => run.outcome)).toEqual(['completed']);
  });
});

describe('refusals', () => {
  test('carry the code, the status and what the server says', async () => {
    const queue = await newQueue();
    const card = await newCard(queue);
    await client.columns.claimNext(queue.board, queue.columnId, { agent: 'drafter-1' });
    const error: unknown = await client.cards.claim(card).catch((thrown: unknown) => thrown);
    if (!isLeaseboardError(error, 'lease_held')) expect.fail('The card was to be held');
    expect(error.status).toBe(409);
    expect(error.problem?.holder).toBe('drafter-1');
  });

  test('of a stale revision say so', async () => {
    const card = await newCard(await newQueue());
    const { rev } = await client.cards.get(card);
    await client.cards.update(card, { title: 'Two' }, { ifMatch: rev });
    const again = client.cards.update(card, { title: 'Three' }, { ifMatch: rev });
    await expect(again).rejects.toMatchObject({ code: 'stale_revision', status: 412 });
  });
});
