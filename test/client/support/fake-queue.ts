/**
 * A queue in memory that keeps leases by a manual clock, as far as a worker can see: claims, renewals, closing
 * verbs, an API that can be out of reach, leases that others take. What was called is kept in `calls`.
 */
import {
  LeaseboardClient,
  LeaseboardError,
  Worker,
  type Claim,
  type ClosedRun,
  type Handler,
  type Platform,
  type RenewAnswer,
  type RequestOptions,
  type Run,
  type WorkerEvent,
  type WorkerOptions,
} from '../../../client/index.ts';
import type { WorkerApi } from '../../../client/worker/api.ts';
import type { Problem } from '../../../client/index.ts';
import { ManualClock } from './platforms.ts';

export const TTL_SECONDS = 30;

interface Holding {
  readonly claim: Claim;
  expiresAtMs: number;
  lost: boolean;
}

export interface CallMade {
  readonly verb: string;
  readonly leases: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  /** Trace that the call was sent under. */
  readonly traceparent?: string | undefined;
}

type Trace = Pick<RequestOptions, 'traceparent'>;

export class FakeQueue {
  readonly clock = new ManualClock();
  readonly calls: CallMade[] = [];
  readonly events: WorkerEvent[] = [];
  /** Cards waiting to be claimed, by id. */
  waiting: string[] = [];
  properties: Readonly<Record<string, unknown>> = {};
  traceparent: string | null = null;
  retryAfterSeconds = 7;
  /** While set, calls of these verbs get no answer. */
  unreachable: 'none' | 'all' | 'claim' = 'none';
  /** Refusals for the next calls of a verb, first come first. */
  refusals: { verb: string; error: LeaseboardError }[] = [];
  cancelReason: string | null = null;
  /** A claim answers only after this. */
  claimGate: Promise<void> = Promise.resolve();
  /** How long a claim takes to answer: a long poll. */
  claimTakesMs = 0;
  checkpoint: unknown = null;
  readonly #held = new Map<string, Holding>();
  #fence = 0;

  /** A worker on this queue; it starts with `run`. */
  worker(
    handler: Handler,
    options: Partial<WorkerOptions> = {},
    connect: () => Promise<WorkerApi> = () => Promise.resolve(this.api),
  ): Worker {
    return new Worker(
      {
        client: this.client(this.clock.platform),
        board: 'demo',
        column: 'col_1',
        handleSignals: false,
        onEvent: (event) => this.events.push(event),
        ...options,
      },
      handler,
      connect,
    );
  }

  /** A client that only lends its platform: a worker on this queue calls `api`. */
  client(platform: Platform): LeaseboardClient {
    return new LeaseboardClient({ url: 'http://127.0.0.1:9', token: 'none', platform });
  }

  /** Somebody else takes the card: this token is dead. */
  takeAway(cardId: string): void {
    for (const holding of this.#held.values()) if (holding.claim.card.id === cardId) holding.lost = true;
  }

  verbs(): string[] {
    return this.calls.map((call) => call.verb);
  }

  called(verb: string): CallMade[] {
    return this.calls.filter((call) => call.verb === verb);
  }

  readonly api: WorkerApi = {
    claim: async (max, input, options) => {
      this.#note('claim', [], { max, ...input, key: options.idempotencyKey });
      await this.claimGate;
      if (this.claimTakesMs > 0) await this.clock.advance(this.claimTakesMs);
      this.#reach('claim');
      const ids = this.waiting.splice(0, max);
      const claims = ids.map((id) => this.#grant(id));
      if (claims.length > 0) return { claims, reason: null, retryAfterSeconds: null };
      return { claims, reason: 'empty', retryAfterSeconds: this.retryAfterSeconds };
    },
    renew: async (id, input, trace) => {
      this.#note('renew', [id], input, trace);
      this.#reach('renew');
      return this.#renew(id);
    },
    renewBatch: async (leases) => {
      const ids = leases.map((lease) => lease.lease_id);
      this.#note('renew-batch', ids, { leases });
      this.#reach('renew-batch');
      return { items: ids.map((id) => this.#renewRow(id)) };
    },
    complete: async (id, input, trace) => this.#close('complete', id, input, trace),
    fail: async (id, input, trace) => {
      const closed = this.#close('fail', id, input, trace);
      return { ...closed, dead_lettered: input.retryable === false, next_attempt_at: null };
    },
    release: async (id, input, trace) => this.#close('release', id, input, trace),
    block: async (id, input, trace) => this.#close('block', id, input, trace),
  };

  #note(verb: string, leases: readonly string[], input: object, { traceparent }: Trace = {}): void {
    this.calls.push({ verb, leases, input: { ...input }, atMs: this.clock.nowMs, traceparent });
  }

  #reach(verb: string): void {
    const refusal = this.refusals.findIndex((candidate) => candidate.verb === verb);
    const [refused] = refusal < 0 ? [] : this.refusals.splice(refusal, 1);
    if (refused !== undefined) throw refused.error;
    if (this.unreachable === 'all' || this.unreachable === verb) {
      throw new LeaseboardError({ code: 'network_error', status: 0, message: 'No answer' });
    }
  }

  #grant(cardId: string): Claim {
    this.#fence += 1;
    const leaseId = `lse_${cardId}_${this.#fence}`;
    const expiresAtMs = this.clock.nowMs + TTL_SECONDS * 1000;
    const claim = {
      card: {
        id: cardId,
        key: cardId,
        properties: this.properties,
        abandoned_by: this.#abandoned(),
        traceparent: this.traceparent,
      },
      lease_id: leaseId,
      lease_token: `token of ${leaseId}`,
      fence: this.#fence,
      attempt: 1,
      max_attempts: 5,
      ...this.#times(expiresAtMs),
    } as unknown as Claim;
    this.#held.set(leaseId, { claim, expiresAtMs, lost: false });
    return claim;
  }

  #abandoned(): object | null {
    return this.checkpoint === null ? null : { agent: 'drafter-0', attempt: 1, checkpoint: this.checkpoint };
  }

  #times(expiresAtMs: number): Pick<RenewAnswer, 'expires_at' | 'server_time' | 'renew_after_seconds'> {
    return {
      expires_at: new Date(expiresAtMs).toISOString(),
      server_time: new Date(this.clock.nowMs).toISOString(),
      renew_after_seconds: TTL_SECONDS / 3,
    };
  }

  #renew(leaseId: string): RenewAnswer {
    const holding = this.#own(leaseId);
    holding.expiresAtMs = this.clock.nowMs + TTL_SECONDS * 1000;
    const by = this.cancelReason;
    return {
      lease_id: leaseId,
      ...this.#times(holding.expiresAtMs),
      max_runtime_at: null,
      signals: {
        cancel_requested: by === null ? null : { by: 'ann', reason: by, at: '2026-01-01T00:00:00.000Z' },
        comments_since: 0,
        card_rev: 1,
        paused: false,
        wrap_up: false,
      },
    };
  }

  #renewRow(leaseId: string): RenewAnswer | { lease_id: string; error: Problem } {
    try {
      return this.#renew(leaseId);
    } catch (error) {
      if (!(error instanceof LeaseboardError) || error.problem === null) throw error;
      return { lease_id: leaseId, error: error.problem };
    }
  }

  #close(verb: string, leaseId: string, input: object, trace: Trace): ClosedRun {
    this.#note(verb, [leaseId], input, trace);
    this.#reach(verb);
    const { claim } = this.#own(leaseId);
    this.#held.delete(leaseId);
    return { card: claim.card, run: { number: 1 } as Run };
  }

  #own(leaseId: string): Holding {
    const holding = this.#held.get(leaseId);
    if (holding !== undefined && !holding.lost) return holding;
    throw refusal(409, 'lease_lost', 'drafter-9 holds the card now');
  }
}

export function refusal(status: number, code: Problem['code'], detail: string): LeaseboardError {
  const problem = { type: 'about:blank', title: code, status, code, detail };
  return new LeaseboardError({ code, status, message: detail, problem });
}
