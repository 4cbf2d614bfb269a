/**
 * One lease in hand: its deadline on the local monotonic clock, the signal of its handler, and what the handler
 * wants told with the next heartbeat.
 */
import type { RequestOptions } from '../call.ts';
import type { Platform, CancelTimer } from '../platform.ts';
import type { Claim, RenewAnswer, RenewInput, Signals } from '../types.ts';
import { WorkerAbort } from './errors.ts';
import type { CardRef } from './events.ts';
import { deferred } from './deferred.ts';

export type Report = Pick<RenewInput, 'note' | 'progress' | 'checkpoint'>;

/** A report on its way, and what to call once it is known what became of it. */
export interface TakenReport {
  readonly report: Report;
  readonly arrived: () => void;
  /** Not told; goes with the next heartbeat. */
  readonly failed: () => void;
  /** Never to be told: the server does not take it. */
  readonly refused: (error: unknown) => void;
}

export class HeldLease {
  readonly claim: Claim;
  readonly ref: CardRef;
  /** Whole length of the lease as granted, in milliseconds. */
  readonly ttlMs: number;
  /** What the last heartbeat heard; null before the first. */
  signals: Signals | null = null;
  readonly #platform: Platform;
  readonly #controller = new AbortController();
  #deadlineMs: number;
  #cancelDeadline: CancelTimer = () => {};
  #pending: Report = {};
  #flushed = deferred<void>();

  /** `sentAtMs` is the monotonic time at which the claim was sent. */
  constructor(platform: Platform, claim: Claim, sentAtMs: number) {
    this.#platform = platform;
    this.claim = claim;
    this.ref = {
      cardId: claim.card.id,
      key: claim.card.key,
      leaseId: claim.lease_id,
      attempt: claim.attempt,
    };
    this.ttlMs = Date.parse(claim.expires_at) - Date.parse(claim.server_time);
    this.#deadlineMs = sentAtMs + this.ttlMs;
    ignoreRejection(this.#flushed.promise);
  }

  /** What its own calls carry: they belong to the trace of whoever made the card. */
  get trace(): Pick<RequestOptions, 'traceparent'> {
    return { traceparent: this.claim.card.traceparent ?? undefined };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds that the lease is certainly still ours; below 0 it may be another's. */
  remainingMs(): number {
    return this.#deadlineMs - this.#platform.monotonicMs();
  }

  /** Starts watching the deadline; before that a long poll's answer could be late by our own reckoning. */
  watchDeadline(): void {
    this.#cancelDeadline();
    this.#cancelDeadline = this.#platform.setTimer(Math.max(0, this.remainingMs()), () => {
      this.abort(
        new WorkerAbort('deadline', 'No renewal got through for a whole lease: another may hold it now'),
      );
    });
  }

  /**
   * A renewal was granted. Counted from when it was sent, not from when the answer came: the server's clock
   * started somewhere between, and only the earlier end is safe.
   */
  renewed(sentAtMs: number, answer: RenewAnswer): void {
    const granted = Date.parse(answer.expires_at) - Date.parse(answer.server_time);
    // An answer that says no time is none of the API's, and moves nothing.
    if (Number.isFinite(granted)) this.#deadlineMs = Math.max(this.#deadlineMs, sentAtMs + granted);
    this.signals = answer.signals;
    if (!this.signal.aborted) this.watchDeadline();
  }

  /** Only the first reason counts. */
  abort(reason: WorkerAbort): void {
    this.#cancelDeadline();
    if (!this.signal.aborted) this.#controller.abort(reason);
  }

  /** Nothing more to watch. */
  close(): void {
    this.#cancelDeadline();
    this.#flushed.reject(new WorkerAbort('lease_lost', 'The card was settled before this was told'));
  }

  /** Whether something waits to be told. */
  get hasReport(): boolean {
    return Object.keys(this.#pending).length > 0;
  }

  /** Adds to what the next heartbeat tells; resolves when a heartbeat with it was granted. */
  report(report: Report): Promise<void> {
    this.#pending = { ...this.#pending, ...report };
    return this.#flushed.promise;
  }

  /** Takes what is to be told. */
  takeReport(): TakenReport {
    const report = this.#pending;
    const flushed = this.#flushed;
    this.#pending = {};
    this.#flushed = deferred<void>();
    ignoreRejection(this.#flushed.promise);
    return {
      report,
      arrived: () => flushed.resolve(),
      refused: (error) => flushed.reject(error),
      failed: () => {
        // What was said later wins over what did not get through.
        this.#pending = { ...report, ...this.#pending };
        this.#flushed.promise.then(flushed.resolve, flushed.reject);
      },
    };
  }
}

/** A report that nobody awaits must not end the process. */
function ignoreRejection(promise: Promise<void>): void {
  promise.catch(() => {});
}
