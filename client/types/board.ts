/** Boards, columns, contracts, and the tokens that open them. */
import type { CardState, EmptyReason } from './card.ts';
import type { CardSummary } from './card.ts';

export type ColumnRole = 'triage' | 'todo' | 'work' | 'review' | 'blocked' | 'done' | 'plain';

/** What makes a column a queue. GET answers exactly what PUT takes. */
export interface Contract {
  readonly enabled: boolean;
  readonly lease_ttl_seconds: number;
  readonly max_attempts: number;
  readonly backoff_seconds: readonly number[];
  /** 0 to 1; a wait is only ever made longer by it. */
  readonly backoff_jitter: number;
  readonly max_runtime_seconds: number | null;
  readonly concurrency_limit: number | null;
  readonly on_success_column_id: string | null;
  readonly on_failure_column_id: string | null;
  /** JSON Schema 2020-12 of a card's properties. */
  readonly input_schema: unknown;
  /** JSON Schema 2020-12 of a completion's output. */
  readonly output_schema: unknown;
  readonly exclude_previous_holder: boolean;
  readonly block_recurrence_limit: number;
  readonly changes_reserved_seconds: number;
  readonly aging_seconds: number | null;
  readonly max_per_assignee: number | null;
  readonly shards: number;
  /** Measured by itself in CloudWatch, at some $2 a month. */
  readonly metrics: boolean;
}

/** What is left out takes its default. */
export type ContractInput = Partial<Contract>;

export interface Column {
  readonly id: string;
  readonly board_id: string;
  readonly name: string;
  readonly role: ColumnRole;
  /** Its contract is enabled. */
  readonly queue: boolean;
  readonly paused: boolean;
  /** Shown, never enforced. */
  readonly wip_limit: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly rev: number;
}

/** A column as its board shows it. */
export interface ColumnDetail extends Column {
  readonly contract: Contract;
  readonly counts: StateCounts;
  readonly capped: boolean;
}

export interface ColumnInput {
  readonly name: string;
  readonly role?: ColumnRole;
  /** Id of the column that it stands before or after. */
  readonly before?: string;
  readonly after?: string;
  readonly wip_limit?: number | null;
}

/** Cards per state, counted up to 1,000; then `capped` says that there are more. */
export type StateCounts = Readonly<Partial<Record<CardState, number>>>;

export interface Board {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string | null;
  readonly icon: string | null;
  /** What the keys of its cards begin with. */
  readonly key_prefix: string;
  readonly max_in_progress: number | null;
  /** Null: 30 days. */
  readonly event_retention_days: number | null;
  /** Null: for good, as with the next. */
  readonly run_retention_days: number | null;
  readonly archived_retention_days: number | null;
  readonly archived_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly rev: number;
}

export interface BoardDetail extends Board {
  /** In the board's order. */
  readonly columns: readonly ColumnDetail[];
  readonly counts: StateCounts;
  readonly capped: boolean;
  /** Where a reader of the feed starts to miss nothing after this answer. */
  readonly events_cursor: string;
}

export interface BoardInput {
  readonly name: string;
  readonly slug?: string;
  readonly description?: string | null;
  readonly icon?: string | null;
  /** Default `default`: Triage, To do, Ready and Review as queues, Blocked, Done. */
  readonly template?: 'default' | 'empty';
}

/** The slug is not among them: addresses must not change. */
export interface BoardPatch {
  readonly name?: string;
  readonly description?: string | null;
  readonly icon?: string | null;
  readonly max_in_progress?: number | null;
  readonly event_retention_days?: number | null;
  readonly run_retention_days?: number | null;
  readonly archived_retention_days?: number | null;
}

/** Counts of one call that redrives a column; with `more`, call again. */
export interface Redriven {
  readonly redriven: number;
  readonly refused: number;
  readonly more: boolean;
}

interface FrontierReport {
  /** Why there is nothing to take, as a claim would say; null while there is something. */
  readonly reason: EmptyReason | null;
  readonly ready: number;
  readonly active: number;
  /** Fewer cards are ready than agents are active. */
  readonly narrow: boolean;
}

/** What may be taken right now; with nothing, why. */
export interface Frontier extends FrontierReport {
  readonly items: readonly CardSummary[];
  /** By the column's id. */
  readonly by_column: Readonly<Record<string, FrontierReport>>;
}

export type Scope = 'worker' | 'member' | 'admin';

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly board_id: string | null;
  readonly agent: string | null;
  /** Of a registered IAM role, which has no secret. */
  readonly role_arn: string | null;
  readonly requests_per_minute: number | null;
  readonly expires_at: string | null;
  /** Its first use on the last day that it was used, UTC. */
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** Who the token of a call is. */
export interface Me {
  readonly token_id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly board_id: string | null;
  readonly agent: string | null;
  readonly server_time: string;
}

/** The answer of creating a token: the only one that shows it. */
export interface CreatedToken extends Token {
  readonly token: string;
}

export interface TokenInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly board_id?: string | null;
  readonly agent?: string | null;
  readonly expires_at?: string | null;
  readonly requests_per_minute?: number | null;
}

export interface RoleInput {
  /** `arn:aws:iam::<account>:role/<name>` */
  readonly role_arn: string;
  readonly scopes: readonly Scope[];
  readonly name?: string;
  readonly board_id?: string | null;
  readonly agent?: string | null;
  readonly requests_per_minute?: number | null;
}
