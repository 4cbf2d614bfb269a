/**
 * The demo that `npm start` shows: a board with a real backlog, and a small fleet that drains it at a human pace.
 * About once a minute a worker vanishes in the middle of a card, so that one can watch the card come back.
 */
import { LeaseboardClient, PLATFORM, Worker, type Handler, type JobContext } from '../client/index.ts';
import { loadCards, readBacklog } from './backlog.ts';
import { createQueue, findBoard, readyColumn, type DemoQueue } from './board.ts';
import { pretendToWork } from './pretend.ts';
import { unpluggable } from './unpluggable.ts';

const SLUG = 'demo';
const AGENTS = ['drafter-1', 'drafter-2', 'drafter-3', 'drafter-4'] as const;
/** Short, so that a lost card is back while one still looks at it; thrice the longest card would be the rule. */
const LEASE_TTL_SECONDS = 20;
/** A failed card is back within the same minute. */
const BACKOFF_SECONDS = [5, 15, 30] as const;
const CRASH_EVERY_MS = 60_000;
const FIRST_CRASH_MS = 15_000;
/** A crashed worker's place stays empty this long, as it would until something restarts it. */
const RESTART_AFTER_MS = 10_000;
/** A card takes this long, in milliseconds, chosen anew each time. */
const CARD_MS = { shortest: 3_000, longest: 8_000 } as const;
/** Part of the cards whose attempt fails, so that a retry is seen too. */
const FAILS = 0.04;

export interface DemoOptions {
  readonly baseUrl: string;
  readonly adminToken: string;
  /** Nothing has been stored before: make the board. Otherwise go on with it, if it is still there. */
  readonly firstStart: boolean;
}

/** Starts the demo; resolves once its fleet works. `stop` gives back what the fleet holds. */
export async function startDemo(options: DemoOptions): Promise<{ stop(): Promise<void> }> {
  const client = new LeaseboardClient({ url: options.baseUrl, token: options.adminToken });
  const queue = await demoQueue(client, options.firstStart);
  if (queue === null) return { stop: () => Promise.resolve() };
  const fleet = new DemoFleet(options, queue);
  fleet.start();
  return fleet;
}

/** The queue to drain; null when somebody has removed the demo board. */
async function demoQueue(client: LeaseboardClient, firstStart: boolean): Promise<DemoQueue | null> {
  const board = await findBoard(client, SLUG);
  if (board !== null) return readyColumn(board);
  if (!firstStart) return null;
  const queue = await createQueue(
    client,
    {
      slug: SLUG,
      name: 'Demo',
      description: 'Reports of queues and boards that went wrong, worked off by a small fleet',
    },
    { lease_ttl_seconds: LEASE_TTL_SECONDS, backoff_seconds: BACKOFF_SECONDS },
  );
  await loadCards(client, SLUG, queue.columnId, await readBacklog());
  return queue;
}

class DemoFleet {
  readonly #options: DemoOptions;
  readonly #queue: DemoQueue;
  readonly #workers = new Map<string, Worker>();
  readonly #stopping = new AbortController();
  /** The first crash comes soon, while a newcomer still looks. */
  #lastCrashMs = PLATFORM.monotonicMs() - CRASH_EVERY_MS + FIRST_CRASH_MS;

  constructor(options: DemoOptions, queue: DemoQueue) {
    this.#options = options;
    this.#queue = queue;
  }

  start(): void {
    for (const agent of AGENTS) this.#hire(agent);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop({ graceSeconds: 0 })));
  }

  #hire(agent: string): void {
    if (this.#stopping.signal.aborted) return;
    const { platform, unplug } = unpluggable(PLATFORM);
    const client = new LeaseboardClient({
      url: this.#options.baseUrl,
      token: this.#options.adminToken,
      agent,
      platform,
    });
    const handler: Handler = (job) => (this.#crashIsDue() ? this.#crash(agent, job, unplug) : work(job));
    const worker = new Worker(
      { client, board: this.#queue.board, column: this.#queue.columnId, handleSignals: false },
      handler,
    );
    this.#workers.set(agent, worker);
    // A fleet that cannot claim any more (the board was removed) ends quietly; the server goes on without it.
    worker.run().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) console.warn(`Demo: ${agent} has stopped:`, error);
    });
  }

  #crashIsDue(): boolean {
    return PLATFORM.monotonicMs() - this.#lastCrashMs >= CRASH_EVERY_MS;
  }

  /** Gone without a word; the lease runs out and another worker takes the card. */
  async #crash(agent: string, job: JobContext, unplug: () => void): Promise<never> {
    this.#lastCrashMs = PLATFORM.monotonicMs();
    await job.checkpoint(`${agent} had read the report and was about to write the fix`);
    this.#workers.delete(agent);
    unplug();
    const cancel = PLATFORM.setTimer(RESTART_AFTER_MS, () => this.#hire(agent));
    this.#stopping.signal.addEventListener('abort', cancel, { once: true });
    return new Promise<never>(() => {});
  }
}

async function work(job: JobContext): Promise<unknown> {
  const milliseconds = CARD_MS.shortest + PLATFORM.random() * (CARD_MS.longest - CARD_MS.shortest);
  await pretendToWork(job, milliseconds);
  if (PLATFORM.random() < FAILS) throw new Error('The tests of the fix do not pass');
  job.handOff({ summary: `Read, reproduced and fixed "${job.card.title.slice(0, 60)}"` });
  return { fixed: true, seconds: Math.round(milliseconds / 1000) };
}
