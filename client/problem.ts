/** Problem documents (RFC 9457) as the API answers them, and the closed list of their codes. */

export const SERVER_CODES = [
  'malformed_json',
  'invalid_cursor',
  'unauthenticated',
  'forbidden',
  'not_found',
  'lease_lost',
  'lease_held',
  'parents_open',
  'invalid_contract',
  'not_claimable',
  'contract_disabled',
  'conflict',
  'idempotency_in_progress',
  'quota_exceeded',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'artifact_missing',
  'schema_too_expensive',
  'rate_limited',
  'internal',
  'throttled',
  'stale_revision',
  'validation_failed',
  'output_invalid',
  'idempotency_key_reused',
] as const;

export type ServerCode = (typeof SERVER_CODES)[number];

export interface FieldError {
  /** JSON pointer into the request's body. */
  readonly path: string;
  readonly message: string;
}

/** Why a lease is no longer the caller's. */
export type LeaseLossReason =
  | 'superseded'
  | 'expired'
  | 'taken_over'
  | 'completed'
  | 'failed'
  | 'released'
  | 'blocked'
  | 'review_requested'
  | 'changes_requested'
  | 'timed_out'
  | 'dead_lettered'
  | 'moved'
  | 'archived'
  | 'deleted'
  | 'revoked';

/** Fields beyond the first six are there for the codes that `lease_lost`, `lease_held`... give them to. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly code: ServerCode;
  readonly request_id?: string;
  /** validation_failed, output_invalid, invalid_contract */
  readonly errors?: readonly FieldError[];
  /** lease_lost */
  readonly reason?: LeaseLossReason;
  readonly by?: string | null;
  readonly at?: string | null;
  readonly run?: { readonly number: number; readonly outcome: string | null };
  readonly current?: {
    readonly agent: string;
    readonly attempt: number;
    readonly expires_at: string;
  } | null;
  readonly retryable?: boolean;
  /** lease_held */
  readonly holder?: string;
  readonly expires_at?: string;
  /** parents_open */
  readonly parents?: readonly string[];
  /** not_claimable */
  readonly state?: string;
  readonly waiting_on?: string | null;
  /** conflict: the ids along a cycle */
  readonly path?: readonly string[];
  /** conflict: the card that stands in the way */
  readonly card_id?: string;
  /** method_not_allowed */
  readonly allow?: readonly string[];
}

const KNOWN: ReadonlySet<unknown> = new Set(SERVER_CODES);

/** Whether a decoded body is a problem document of this API; a gateway's own refusals are not. */
export function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && KNOWN.has(body.code);
}
