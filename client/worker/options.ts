/** How a worker is set up, and the numbers that it goes by when nothing is said. */
import type { LeaseboardClient } from '../client.ts';
import { isLeaseboardError } from '../errors.ts';
import type { WorkerEvent } from './events.ts';
import type { StandardSchema } from './standard-schema.ts';

export interface WorkerOptions<Payload = unknown> {
  readonly client: LeaseboardClient;
  /** Slug or id. */
  readonly board: string;
  /** Name or id of the queue. */
  readonly column: string;
  /** Name of this worker; default: the client's, or the one that its token is bound to. */
  readonly agent?: string | undefined;
  /** Cards in hand at once; default 1. */
  readonly concurrency?: number | undefined;
  /** Asked for at the claim; default and most: the contract's. */
  readonly leaseTtlSeconds?: number | undefined;
  /** How long the server may hold a claim that finds nothing, 0-20; default 5. */
  readonly waitSeconds?: number | undefined;
  readonly tenant?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly skills?: readonly string[] | undefined;
  /** Claims carry the card's context (comments, parents' hand-offs). */
  readonly withContext?: boolean | undefined;
  /** Standard Schema of the card's properties; a card that fails it is dead-lettered as `invalid_input`. */
  readonly payload?: StandardSchema<Payload> | undefined;
  /** How long handlers may go on after a shutdown began; default: the lease less 10 s, at most 110 s. */
  readonly shutdownGraceSeconds?: number | undefined;
  /** Whether `run()` drains on SIGTERM and SIGINT, where there are such; default true. */
  readonly handleSignals?: boolean | undefined;
  /** What happens; default: what a person should know goes to the console. */
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** Short enough that a worker told to stop does not hang in a poll, long enough to spare most of them. */
export const DEFAULT_WAIT_SECONDS = 5;
/** A renewal at a third of the lease leaves two more before it is over. */
export const BEATS_PER_LEASE = 3;
/** Beats come up to this part early, so that a fleet started at once does not renew at once. */
export const BEAT_JITTER = 0.2;
/** Near the longest runtime renewals gain nothing, so they come no faster than this. */
export const SHORTEST_BEAT_MS = 1_000;
/** A failed renewal is tried again this often per lease: twice the normal rate, so that an outage is no storm. */
export const RETRIED_BEATS_PER_LEASE = 6;
/** A beat that fires later than this means that the event loop stood still. */
export const STALL_MS = 1_000;
/** Reports of progress join for this long: a handler in a loop must not become a flood. */
export const REPORT_SPACING_MS = 1_000;
/** How long an aborted handler may take to return before its card is settled without it. */
export const ABORT_GRACE_MS = 10_000;
/** How long a closing verb is tried against an API that does not answer. */
export const SETTLE_FOR_MS = 600_000;
/** The same while shutting down: what stops a worker usually kills it 30 s later. */
export const SETTLE_AT_SHUTDOWN_MS = 10_000;
/** First and longest wait between two tries of a claim or a closing verb that failed. */
export const FIRST_BACKOFF_MS = 500;
export const LONGEST_BACKOFF_MS = 30_000;
/** Shutdown ends handlers this long before their leases would. */
export const GRACE_BEFORE_EXPIRY_SECONDS = 10;
/** Two minutes is what the patient orchestrators give before they kill. */
export const LONGEST_GRACE_SECONDS = 110;
/** A week: the longest wait that the server takes. */
export const LONGEST_RETRY_AFTER_SECONDS = 604_800;
/** Bytes of UTF-8 that a reason may have. */
export const LONGEST_REASON_BYTES = 1_000;

/** Nobody is waited for longer than this at a time, whatever an answer asks for: it may not be the API's. */
export const LONGEST_ASKED_WAIT_MS = 300_000;

/** Milliseconds that a refusal asks to wait. */
export function askedMs(error: unknown): number {
  const seconds = isLeaseboardError(error) ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(LONGEST_ASKED_WAIT_MS, seconds * 1000);
}

/** Wait before try number `tries + 1`, in milliseconds; `random` is 0 up to 1. */
export function backoffMs(tries: number, random: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1)) * (0.5 + random / 2);
}
