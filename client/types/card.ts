/** Cards: the whole, the summary, and what people and workers set on them. */
import type { Problem } from '../problem.ts';
import type { FieldError } from '../problem.ts';

export type JsonObject = { readonly [name: string]: unknown };

export type CardState = 'idle' | 'waiting' | 'ready' | 'leased' | 'blocked' | 'done' | 'dead' | 'archived';

export type WaitingOn = 'draft' | 'hold' | 'container' | 'parents' | 'input' | 'schedule' | 'backoff';

/** Why a claim got nothing, the first that holds. */
export type EmptyReason =
  | 'paused'
  | 'concurrency_limit'
  | 'contended'
  | 'not_yours'
  | 'all_waiting'
  | 'all_held'
  | 'all_blocked'
  | 'containers_only'
  | 'empty';

export type BlockKind = 'needs_input' | 'capability' | 'transient' | 'dependency';

export interface CancelRequest {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
}

export interface AbandonedBy {
  readonly agent: string;
  readonly attempt: number;
  readonly at: string;
  /** What the lost worker had handed over by its renewals. */
  readonly checkpoint: string | null;
}

export interface CardLease {
  readonly id: string;
  readonly card_id: string;
  readonly agent: string;
  readonly attempt: number;
  readonly claimed_at: string;
  readonly expires_at: string;
  readonly expired: boolean;
  readonly heartbeat_at: string | null;
  readonly progress: number | null;
  readonly note: string | null;
}

/** A card without body, properties and output, as lists show it. */
export interface CardSummary {
  readonly id: string;
  readonly key: string;
  readonly board_id: string;
  readonly column_id: string;
  readonly title: string;
  readonly state: CardState;
  readonly waiting_on: WaitingOn | null;
  /** Ids of open parents, the schema's errors, or the time it waits for. */
  readonly waiting_detail: readonly string[] | readonly FieldError[] | string | null;
  readonly block: {
    readonly kind: BlockKind | null;
    readonly reason: string;
    readonly by: string;
    readonly at: string;
  } | null;
  readonly priority: number;
  readonly assignee: string | null;
  /** Asked for changes: until when the assignee has it to itself, and then nobody. */
  readonly reserved_until: string | null;
  readonly tenant: string | null;
  readonly labels: readonly string[];
  readonly skills: readonly string[];
  readonly model: { readonly name: string; readonly provider: string | null } | null;
  readonly scheduled_at: string | null;
  readonly dedupe_key: string | null;
  readonly max_attempts: number | null;
  readonly max_runtime_seconds: number | null;
  readonly attempt: number;
  readonly fence: number;
  readonly draft: boolean;
  readonly hold: boolean;
  readonly container: boolean;
  readonly container_id: string | null;
  readonly abandoned_by: AbandonedBy | null;
  readonly lease: CardLease | null;
  readonly cancel_requested: CancelRequest | null;
  readonly counts: {
    readonly comments: number;
    readonly attachments: number;
    readonly parents_open: number;
    readonly children: number;
    readonly runs: number;
  };
  readonly workflow_template_id: string | null;
  readonly current_step_key: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly rev: number;
}

export interface Card extends CardSummary {
  readonly body: string;
  readonly properties: JsonObject;
  readonly output: unknown;
  /** Of the run that completed it. */
  readonly summary: string | null;
  /** W3C trace context of the request that made it, to go on with. */
  readonly traceparent: string | null;
  /** On the answer of a create that met an open card with the same `dedupe_key`. */
  readonly deduplicated?: boolean;
}

/** What people set on a card. */
export interface CardFields {
  readonly title?: string;
  readonly body?: string;
  readonly properties?: JsonObject;
  readonly priority?: number;
  readonly assignee?: string | null;
  readonly tenant?: string | null;
  readonly labels?: readonly string[];
  readonly skills?: readonly string[];
  readonly model?: { readonly name: string; readonly provider?: string | null } | null;
  readonly scheduled_at?: string | null;
  readonly max_attempts?: number | null;
  readonly max_runtime_seconds?: number | null;
  readonly draft?: boolean;
  readonly hold?: boolean;
  readonly container?: boolean;
  readonly container_id?: string | null;
  readonly workflow_template_id?: string | null;
  readonly current_step_key?: string | null;
}

export interface CardInput extends CardFields {
  readonly title: string;
  readonly column_id?: string;
  readonly dedupe_key?: string | null;
  /** Ids of cards that must be done first, up to 500. */
  readonly parents?: readonly string[];
}

export type CardPatch = CardFields;

/** Where a card goes; without a place, to the bottom. */
export interface Place {
  readonly column_id: string;
  readonly before?: string;
  readonly after?: string;
  readonly top?: true;
  readonly bottom?: true;
}

/** For what a lease stands in the way of: force it, and say why. */
export interface Forced {
  readonly force?: boolean;
  readonly reason?: string;
}

export interface CardQuery {
  readonly column?: string;
  readonly state?: CardState;
  readonly assignee?: string;
  readonly tenant?: string;
  readonly label?: string;
  readonly workflow_template_id?: string;
  readonly current_step_key?: string;
  readonly q?: string;
  readonly sort?: 'created' | 'priority';
  readonly archived?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface BatchItem {
  readonly index: number;
  readonly status: number;
  readonly card?: Card;
  readonly error?: Problem;
}

export interface BulkItem {
  readonly id: string;
  readonly status: number;
  readonly card?: Card;
  readonly error?: Problem;
}

export interface BulkInput extends Forced {
  readonly ids: readonly string[];
  readonly patch?: CardPatch;
  readonly move?: Place;
  readonly verb?: 'archive' | 'delete' | 'complete' | 'block' | 'unblock' | 'redrive';
}
