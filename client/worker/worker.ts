/** The worker itself: claims, heartbeats and jobs tied together, and its way down. */
import type { LeaseboardClient } from '../client.ts';
import { sleep, type CancelTimer, type Platform } from '../platform.ts';
import type { Claim, ClaimInput } from '../types.ts';
import { resolveColumn, workerApi, type WorkerApi } from './api.ts';
import { claimLoop, failedClaimMs } from './claim-loop.ts';
import type { Handler } from './context.ts';
import { WorkerAbort } from './errors.ts';
import { warnOnConsole } from './events.ts';
import { Heartbeats } from './heartbeats.ts';
import { HeldLease } from './held-lease.ts';
import { workCard, type JobTools } from './job.ts';
import {
  DEFAULT_WAIT_SECONDS,
  GRACE_BEFORE_EXPIRY_SECONDS,
  LONGEST_GRACE_SECONDS,
  SETTLE_AT_SHUTDOWN_MS,
  SETTLE_FOR_MS,
  type WorkerOptions,
} from './options.ts';
import { onTermination } from './process-signals.ts';
import { settle, type Settler } from './settle.ts';
import { Slots } from './slots.ts';

export interface RunOptions {
  /** Drains and ends the run, as `stop()` does. */
  readonly signal?: AbortSignal | undefined;
  /** End when a claim finds nothing and nothing is in hand; for tests, scripts and scheduled functions. */
  readonly untilEmpty?: boolean | undefined;
}

export class Worker<Payload = unknown> {
  readonly #options: WorkerOptions<Payload>;
  readonly #platform: Platform;
  readonly #handler: Handler<Payload>;
  readonly #connect: () => Promise<WorkerApi>;
  readonly #slots: Slots;
  /** No more claims. */
  readonly #stopping = new AbortController();
  /** Handlers have been told to stop; closing verbs have little time left. */
  readonly #hurried = new AbortController();
  #heartbeats: Heartbeats | undefined;
  #running: Promise<void> = Promise.resolve();
  #cancelGrace: CancelTimer = () => {};

  /** `connect` is for tests; a worker makes its calls through its client. */
  constructor(
    options: WorkerOptions<Payload>,
    handler: Handler<Payload>,
    connect: () => Promise<WorkerApi> = () => connectTo(options),
  ) {
    this.#options = options;
    this.#platform = options.client.platform;
    this.#handler = handler;
    this.#connect = connect;
    this.#slots = new Slots(options.concurrency ?? 1);
  }

  /**
   * Works until stopped; resolves when everything in hand is settled. Rejects, after that, when claiming cannot
   * succeed whatever the wait (a token that is not accepted, a board or column that is not there). A worker runs
   * once: after `stop` make another.
   */
  run(options: RunOptions = {}): Promise<void> {
    this.#running = this.#run(options);
    return this.#running;
  }

  async #run(options: RunOptions): Promise<void> {
    const stop = (): void => void this.stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    if (options.signal?.aborted === true) stop();
    const unlisten = this.#options.handleSignals === false ? () => {} : onTermination(stop);
    try {
      await this.#claimAndWork(options.untilEmpty ?? false);
    } finally {
      await this.#slots.drained();
      this.#cancelGrace();
      unlisten();
      options.signal?.removeEventListener('abort', stop);
    }
  }

  /**
   * Claims nothing more, lets handlers go on for `graceSeconds` (default: the worker's), then aborts them and
   * gives their cards back. Resolves when nothing is in hand. A second call can only shorten the grace.
   */
  async stop(options: { readonly graceSeconds?: number } = {}): Promise<void> {
    const first = !this.#stopping.signal.aborted;
    this.#stopping.abort();
    this.#slots.wake();
    if (first) this.#emit({ type: 'draining', held: this.#slots.taken });
    if (first || options.graceSeconds !== undefined) {
      this.#cancelGrace();
      const graceMs = (options.graceSeconds ?? this.#graceSeconds()) * 1000;
      this.#cancelGrace = this.#platform.setTimer(graceMs, () => this.#abortHandlers());
    }
    // What went wrong is the business of whoever awaits the run.
    await this.#running.catch(() => {});
  }

  async #claimAndWork(untilEmpty: boolean): Promise<void> {
    const api = await this.#connected();
    if (api === null) return;
    const heartbeats = new Heartbeats(this.#platform, api, this.#emit);
    this.#heartbeats = heartbeats;
    const tools: JobTools<Payload> = {
      platform: this.#platform,
      heartbeats,
      settler: this.#settler(api),
      payload: this.#options.payload,
      handler: this.#handler,
    };
    await claimLoop({
      platform: this.#platform,
      api,
      slots: this.#slots,
      input: claimInput(this.#options),
      emit: this.#emit,
      stopping: this.#stopping.signal,
      untilEmpty,
      start: (claim, sentAtMs) => this.#slots.take(this.#begin(tools, claim, sentAtMs)),
    });
  }

  /** Started before its API is up, or beside one that is away, a worker waits for it. Null when it is to stop first. */
  async #connected(): Promise<WorkerApi | null> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#connect();
      } catch (error) {
        const retryInMs = failedClaimMs(error, failures, this.#platform.random());
        this.#emit({ type: 'claim_failed', error, retryInMs });
        await sleep(this.#platform, retryInMs, this.#stopping.signal).catch(() => {});
        if (this.#stopping.signal.aborted) return null;
      }
    }
  }

  /** A card that arrives while stopping goes straight back: its claim was on its way already. */
  #begin(tools: JobTools<Payload>, claim: Claim, sentAtMs: number): Promise<void> {
    const lease = new HeldLease(this.#platform, claim, sentAtMs);
    if (!this.#stopping.signal.aborted) return workCard(tools, lease);
    return settle(tools.settler, lease, {
      verb: 'release',
      note: 'Claimed while the worker was stopping',
      why: 'draining',
    });
  }

  #settler(api: WorkerApi): Settler {
    return {
      platform: this.#platform,
      api,
      emit: this.#emit,
      patienceMs: () => (this.#hurried.signal.aborted ? SETTLE_AT_SHUTDOWN_MS : SETTLE_FOR_MS),
      hurried: this.#hurried.signal,
    };
  }

  #abortHandlers(): void {
    this.#hurried.abort();
    for (const lease of this.#heartbeats?.leases() ?? []) {
      lease.abort(new WorkerAbort('shutdown', 'The worker is shutting down'));
    }
  }

  /** Shortly before the shortest lease in hand would end without renewals, should they fail. */
  #graceSeconds(): number {
    const { shutdownGraceSeconds } = this.#options;
    if (shutdownGraceSeconds !== undefined) return shutdownGraceSeconds;
    const ttls = (this.#heartbeats?.leases() ?? []).map((lease) => lease.ttlMs / 1000);
    const shortest = Math.min(LONGEST_GRACE_SECONDS + GRACE_BEFORE_EXPIRY_SECONDS, ...ttls);
    return Math.max(0, shortest - GRACE_BEFORE_EXPIRY_SECONDS);
  }

  readonly #emit: NonNullable<WorkerOptions['onEvent']> = (event) => {
    // A listener's mistake must not lose a card, nor one that it makes later end the process.
    const tell = async (): Promise<void> => (this.#options.onEvent ?? warnOnConsole)(event);
    tell().catch((error: unknown) => console.error('leaseboard worker: onEvent threw', error));
  };
}

/** A worker for one queue; `await worker(options, handler).run()` works until SIGTERM. */
export function worker<Payload = unknown>(
  options: WorkerOptions<Payload>,
  handler: Handler<Payload>,
): Worker<Payload> {
  return new Worker(options, handler);
}

async function connectTo(options: {
  readonly client: LeaseboardClient;
  readonly board: string;
  readonly column: string;
}): Promise<WorkerApi> {
  const column = await resolveColumn(options.client, options.board, options.column);
  return workerApi(options.client, options.board, column);
}

function claimInput(options: WorkerOptions): ClaimInput {
  return {
    agent: options.agent,
    lease_ttl_seconds: options.leaseTtlSeconds,
    wait_seconds: options.waitSeconds ?? DEFAULT_WAIT_SECONDS,
    tenant: options.tenant,
    labels: options.labels,
    skills: options.skills,
    with_context: options.withContext,
  };
}
