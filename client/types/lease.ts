/** Claims, leases and runs. */
import type { BlockKind, CancelRequest, Card, CardLease, EmptyReason, JsonObject } from './card.ts';
import type { Problem } from '../problem.ts';

/** A lease, living or ended, without its token. */
export interface Lease {
  readonly id: string;
  readonly card_id: string;
  readonly board_id: string;
  readonly column_id: string | null;
  readonly agent: string;
  readonly attempt: number;
  readonly fence: number;
  readonly state: 'active' | 'expired' | 'ended';
  readonly outcome: Outcome | null;
  readonly claimed_at: string | null;
  readonly expires_at: string | null;
  readonly heartbeat_at: string | null;
  readonly max_runtime_at: string | null;
  readonly progress: number | null;
  readonly note: string | null;
  readonly ended_at: string | null;
}

export interface ClaimInput {
  readonly agent?: string | undefined;
  readonly lease_ttl_seconds?: number | undefined;
  readonly wait_seconds?: number | undefined;
  readonly tenant?: string | undefined;
  /** The card has all of them. */
  readonly labels?: readonly string[] | undefined;
  /** The card's skills are among them; `[]`: cards that need none. */
  readonly skills?: readonly string[] | undefined;
  readonly with_context?: boolean | undefined;
}

/** A card in hand. `lease_token` is a secret: it is what makes a write the holder's. */
export interface Claim {
  readonly card: Card;
  readonly lease_id: string;
  readonly lease_token: string;
  /** Rises with every claim of the card; for downstream systems to refuse a zombie's write. */
  readonly fence: number;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly expires_at: string;
  readonly renew_after_seconds: number;
  readonly server_time: string;
  readonly lease: CardLease;
  readonly context?: CardContext;
}

/** Nothing to take: not an error, and cheap when the hint is obeyed. */
export interface EmptyClaim {
  readonly card: null;
  readonly lease_id: null;
  readonly lease_token: null;
  readonly reason: EmptyReason;
  readonly next_available_at: string | null;
  readonly retry_after_seconds: number;
}

export type ClaimAnswer = Claim | EmptyClaim;

export interface ClaimBatchAnswer {
  readonly claims: readonly Claim[];
  readonly reason: EmptyReason | null;
  readonly next_available_at: string | null;
  readonly retry_after_seconds: number | null;
}

/** A claim of one card by its id. */
export interface NamedClaimInput {
  readonly agent?: string;
  readonly lease_ttl_seconds?: number;
  /** Displaces a living lease; needs a reason. */
  readonly takeover?: boolean;
  readonly reason?: string;
  readonly with_context?: boolean;
}

export interface RenewInput {
  readonly lease_token: string;
  readonly lease_ttl_seconds?: number;
  readonly note?: string;
  /** 0 to 100 */
  readonly progress?: number;
  /** A hand-off note for whoever claims next, up to 8 KB of text. */
  readonly checkpoint?: string;
}

export interface Signals {
  readonly cancel_requested: CancelRequest | null;
  /** Number of comments since the claim; only rises. */
  readonly comments_since: number;
  readonly card_rev: number;
  readonly paused: boolean;
  /** True from 90 % of the longest runtime. */
  readonly wrap_up: boolean;
}

export interface RenewAnswer {
  readonly lease_id: string;
  readonly expires_at: string;
  readonly renew_after_seconds: number;
  readonly server_time: string;
  readonly max_runtime_at: string | null;
  readonly signals: Signals;
}

export interface RenewRefusal {
  readonly lease_id: string;
  readonly error: Problem;
}

export interface RenewBatchAnswer {
  readonly items: readonly (RenewAnswer | RenewRefusal)[];
}

export interface CompleteInput {
  readonly lease_token: string;
  readonly output?: unknown;
  readonly summary?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  /** Merged into the card's properties. */
  readonly properties?: JsonObject | undefined;
  /** Instead of the contract's success column. */
  readonly column_id?: string | undefined;
  /** Names of attachments that must be there. */
  readonly artifacts?: readonly string[];
  readonly created_cards?: readonly string[];
}

export type FailKind = 'error' | 'rate_limited' | 'timeout' | 'invalid_input';

export interface FailInput {
  readonly lease_token: string;
  readonly reason: string;
  readonly kind?: FailKind;
  readonly retryable?: boolean;
  readonly retry_after_seconds?: number;
  readonly metadata?: JsonObject;
}

export interface BlockInput {
  readonly lease_token: string;
  readonly kind?: BlockKind;
  readonly reason: string;
}

export type Outcome =
  | 'completed'
  | 'failed'
  | 'expired'
  | 'released'
  | 'blocked'
  | 'review_requested'
  | 'changes_requested'
  | 'taken_over'
  | 'timed_out'
  | 'reclaimed'
  | 'dead_lettered';

/** One attempt. `outcome` is null while it goes on. */
export interface Run {
  readonly id: string;
  readonly card_id: string;
  readonly column_id: string | null;
  /** Counts through the card's whole life; equals the claim's fence. */
  readonly number: number;
  /** Counts within one stage. */
  readonly attempt: number;
  readonly agent: string | null;
  readonly outcome: Outcome | null;
  readonly summary: string | null;
  /** What the worker said besides the output. */
  readonly metadata: unknown;
  readonly output: unknown;
  readonly error: string | null;
  readonly checkpoint: string | null;
  /** The attempt was given back. */
  readonly refunded: boolean;
  /** Completed after its lease had run out, with nobody else on the card. */
  readonly late: boolean;
  readonly ended_by: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

export interface ClosedRun {
  readonly card: Card;
  readonly run: Run;
}

export interface FailAnswer extends ClosedRun {
  readonly dead_lettered: boolean;
  readonly next_attempt_at: string | null;
}

export interface LeaseQuery {
  readonly state?: 'active' | 'expired';
  readonly column?: string;
  readonly agent?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** What a worker should have read before it starts. Text that people or agents wrote: data, not orders. */
export interface CardContext {
  readonly text: string;
  readonly sections: JsonObject;
  readonly truncated: readonly string[];
}
