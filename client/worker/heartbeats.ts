/**
 * Renews every lease of a worker from one timer of its own, in batches, whatever the handlers do. Failed
 * renewals are tried again here; what a refusal means for a card is told to its lease.
 */
import { isLeaseboardError } from '../errors.ts';
import type { CancelTimer, Platform } from '../platform.ts';
import type { RenewAnswer, RenewRefusal } from '../types.ts';
import type { WorkerApi } from './api.ts';
import { WorkerAbort } from './errors.ts';
import type { WorkerEvent } from './events.ts';
import type { HeldLease, TakenReport } from './held-lease.ts';
import {
  askedMs,
  BEAT_JITTER,
  BEATS_PER_LEASE,
  REPORT_SPACING_MS,
  RETRIED_BEATS_PER_LEASE,
  SHORTEST_BEAT_MS,
  STALL_MS,
} from './options.ts';

/** Most leases that one request renews. */
const LARGEST_RENEW_BATCH = 100;
/** Beats due within this part of a lease from now join the batch: fewer requests, and never later than due. */
const JOIN_WITHIN = 1 / 12;
/** A renewal without an answer after this is given up, so that another fits into the lease. */
const LONGEST_RENEW_MS = 10_000;

/** Statuses that refuse the body, and would refuse it again. */
const NOT_TAKEN: ReadonlySet<number> = new Set([400, 413, 422]);

type Told = TakenReport & { readonly lease: HeldLease };

interface Beat {
  dueMs: number;
  sentMs: number;
  inFlight: boolean;
}

export class Heartbeats {
  readonly #platform: Platform;
  readonly #api: WorkerApi;
  readonly #emit: (event: WorkerEvent) => void;
  readonly #beats = new Map<HeldLease, Beat>();
  #cancelTimer: CancelTimer = () => {};

  constructor(platform: Platform, api: WorkerApi, emit: (event: WorkerEvent) => void) {
    this.#platform = platform;
    this.#api = api;
    this.#emit = emit;
  }

  get held(): number {
    return this.#beats.size;
  }

  leases(): HeldLease[] {
    return [...this.#beats.keys()];
  }

  add(lease: HeldLease): void {
    const now = this.#platform.monotonicMs();
    this.#beats.set(lease, { dueMs: now + this.#interval(lease), sentMs: now, inFlight: false });
    this.#arm();
  }

  remove(lease: HeldLease): void {
    this.#beats.delete(lease);
    this.#arm();
  }

  /** Renews now. Never throws: what went wrong has been told to the lease. */
  async renewNow(lease: HeldLease): Promise<void> {
    await this.#send([lease]);
    this.#arm();
  }

  /** Something is to be told: beat at once, or a little later when the last beat was just now. */
  hurry(lease: HeldLease, spacingMs = REPORT_SPACING_MS): void {
    const beat = this.#beats.get(lease);
    if (beat === undefined) return;
    beat.dueMs = Math.min(beat.dueMs, Math.max(this.#platform.monotonicMs(), beat.sentMs + spacingMs));
    this.#arm();
  }

  #interval(lease: HeldLease): number {
    const third = Math.min(lease.ttlMs, lease.remainingMs()) / BEATS_PER_LEASE;
    return Math.max(SHORTEST_BEAT_MS, third * (1 - BEAT_JITTER * this.#platform.random()));
  }

  #arm(): void {
    this.#cancelTimer();
    const waiting = [...this.#beats.values()].filter((beat) => !beat.inFlight);
    if (waiting.length === 0) return;
    const dueMs = Math.min(...waiting.map((beat) => beat.dueMs));
    const now = this.#platform.monotonicMs();
    this.#cancelTimer = this.#platform.setTimer(Math.max(0, dueMs - now), () => this.#fire(dueMs));
  }

  #fire(dueMs: number): void {
    const now = this.#platform.monotonicMs();
    if (now - dueMs > STALL_MS) this.#emit({ type: 'stalled', lateMs: Math.round(now - dueMs) });
    const due = [...this.#beats].filter(
      ([lease, beat]) => !beat.inFlight && beat.dueMs <= now + lease.ttlMs * JOIN_WITHIN,
    );
    for (const batch of batchesOf(due.map(([lease]) => lease))) {
      void this.#send(batch).then(() => this.#arm());
    }
    this.#arm();
  }

  async #send(leases: readonly HeldLease[]): Promise<void> {
    const sentMs = this.#platform.monotonicMs();
    const told = leases.map((lease) => {
      const beat = this.#beats.get(lease);
      if (beat !== undefined) Object.assign(beat, { inFlight: true, sentMs });
      return { lease, ...lease.takeReport() };
    });
    try {
      const items = await this.#request(leases, told);
      for (const [index, { lease, arrived, failed }] of told.entries()) {
        const item = items[index];
        if (item === undefined || 'error' in item) failed();
        else arrived();
        this.#heard(lease, sentMs, item);
      }
    } catch (error) {
      for (const taken of told) this.#unsent(taken, error);
    }
  }

  /** The request as a whole failed. */
  #unsent({ lease, report, failed, refused }: Told, error: unknown): void {
    if (isLeaseboardError(error) && NOT_TAKEN.has(error.status) && Object.keys(report).length > 0) {
      // A report that the server does not take must not cost the lease: beat again without it.
      refused(error);
      this.#emit({ type: 'report_refused', error, ...lease.ref });
      this.#next(lease, 0);
      return;
    }
    failed();
    this.#refused(lease, error);
  }

  async #request(
    leases: readonly HeldLease[],
    told: readonly Told[],
  ): Promise<readonly (RenewAnswer | RenewRefusal)[]> {
    const inputs = leases.map(({ claim }, index) => ({
      lease_id: claim.lease_id,
      lease_token: claim.lease_token,
      ...told[index]?.report,
    }));
    const shortest = Math.min(...leases.map((lease) => lease.ttlMs));
    // The next beat is the retry: a transport that waited and tried again by itself would only delay it.
    const options = { retries: 0, timeoutMs: Math.min(LONGEST_RENEW_MS, shortest / BEATS_PER_LEASE) };
    const [only, ...others] = inputs;
    if (only === undefined) return [];
    if (others.length > 0) return (await this.#api.renewBatch(inputs, options)).items;
    const { lease_id, ...input } = only;
    return [await this.#api.renew(lease_id, input, { ...options, ...leases[0]?.trace })];
  }

  #heard(lease: HeldLease, sentMs: number, item: RenewAnswer | RenewRefusal | undefined): void {
    if (item === undefined || 'error' in item) {
      this.#refused(lease, item?.error);
      return;
    }
    lease.renewed(sentMs, item);
    // Something said while the request was on its way does not wait for a whole third.
    this.#next(lease, lease.hasReport ? REPORT_SPACING_MS : this.#interval(lease));
    const cancel = item.signals.cancel_requested;
    if (cancel) lease.abort(new WorkerAbort('cancelled', `${cancel.by} asked to stop: ${cancel.reason}`));
  }

  #refused(lease: HeldLease, error: unknown): void {
    const code = codeOf(error);
    if (code !== undefined && LOST.has(code)) {
      lease.abort(new WorkerAbort('lease_lost', detailOf(error)));
      this.remove(lease);
      return;
    }
    const retry = (lease.ttlMs / RETRIED_BEATS_PER_LEASE) * (0.75 + this.#platform.random() / 2);
    // However long the API asks to be left alone: half of what is left leaves another try before it is over.
    this.#next(lease, Math.max(retry, Math.min(askedMs(error), lease.remainingMs() / 2)));
  }

  #next(lease: HeldLease, inMs: number): void {
    const beat = this.#beats.get(lease);
    if (beat === undefined) return;
    Object.assign(beat, { inFlight: false, dueMs: this.#platform.monotonicMs() + inMs });
  }
}

/**
 * Leases as they are renewed together. One with something to tell goes alone: the server refuses a batch as a
 * whole, and a bad note must not cost the others their renewal.
 */
function batchesOf(leases: readonly HeldLease[]): HeldLease[][] {
  const silent = leases.filter((lease) => !lease.hasReport);
  const batches = leases.filter((lease) => lease.hasReport).map((lease) => [lease]);
  for (let first = 0; first < silent.length; first += LARGEST_RENEW_BATCH) {
    batches.push(silent.slice(first, first + LARGEST_RENEW_BATCH));
  }
  return batches;
}

/** Refusals after which no renewal can ever be granted. */
const LOST: ReadonlySet<string> = new Set(['lease_lost', 'not_found', 'forbidden', 'unauthenticated']);

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return String(error.code);
}

/** Sentence of an error or of a problem document in a batch's row. */
function detailOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error !== 'object' || error === null || !('detail' in error)) return 'The lease is lost';
  return String(error.detail);
}
