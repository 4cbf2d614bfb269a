/**
 * Every refusal the product can give: one closed table of code, status and sentence. A refusal is matched by
 * its `code`, never by its class across bundles.
 */

export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_cursor: { status: 400, title: 'The cursor was not made by this list' },
  unauthenticated: { status: 401, title: 'A valid bearer token is needed' },
  forbidden: { status: 403, title: 'This token may not do that' },
  not_found: { status: 404, title: 'There is no such thing, or this token may not know of it' },
  method_not_allowed: { status: 405, title: 'This address does not take that method' },
  lease_lost: { status: 409, title: 'The lease is no longer yours' },
  lease_held: { status: 409, title: 'The card is held by a worker' },
  parents_open: { status: 409, title: 'The card has open parents' },
  not_claimable: { status: 409, title: 'The card cannot be claimed now' },
  contract_disabled: { status: 409, title: 'The column is no queue' },
  conflict: { status: 409, title: 'The current state forbids this' },
  idempotency_in_progress: { status: 409, title: 'An equal request is running at this moment' },
  quota_exceeded: { status: 409, title: 'A bound of the installation is reached' },
  stale_revision: { status: 412, title: 'The card has changed since you read it' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  validation_failed: { status: 422, title: 'The request does not fit its schema' },
  invalid_contract: { status: 422, title: 'The contract is not valid' },
  output_invalid: { status: 422, title: "The output does not fit the column's output schema" },
  artifact_missing: { status: 422, title: 'A declared artifact does not exist' },
  schema_too_expensive: { status: 422, title: 'The schema takes too long to evaluate' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  throttled: { status: 503, title: 'Something that we need is busy; try again' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault within a request: `path` is a JSON pointer into the body (or `query`, `path` parameter name). */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

export type LostReason =
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

/** What a code carries beside its sentence; a code that is not here carries nothing. */
interface ProblemExtras {
  lease_lost: {
    reason: LostReason;
    by: string | null;
    at: string | null;
    run: { number: number; outcome: string | null };
    current: { agent: string; attempt: number; expires_at: string } | null;
    retryable: false;
  };
  lease_held: { holder: string; expires_at: string };
  parents_open: { parents: string[] };
  not_claimable: { state: string; waiting_on: string | null };
  conflict: { path?: string[]; card_id?: string };
  validation_failed: { errors: FieldFault[] };
  invalid_contract: { errors: FieldFault[] };
  output_invalid: { errors: FieldFault[] };
  artifact_missing: { errors: FieldFault[] };
  throttled: { retry_after_seconds: number };
  rate_limited: { retry_after_seconds: number };
  idempotency_in_progress: { retry_after_seconds: number };
}

/** A refusal on its way out. `detail` says what was wrong, where, and what to do; it never holds a secret. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: Readonly<Record<string, unknown>>;

  constructor(code: ProblemCode, detail: string, extras: Readonly<Record<string, unknown>>) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.extras = extras;
  }
}

export function problem<C extends ProblemCode>(
  code: C,
  detail: string,
  ...extras: C extends keyof ProblemExtras
    ? object extends ProblemExtras[C]
      ? [ProblemExtras[C]?]
      : [ProblemExtras[C]]
    : []
): Problem {
  return new Problem(code, detail, { ...extras[0] });
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'code' in error && 'extras' in error;
}

/** A token that was put where an id belongs must not be repeated, nor logged. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/\b(lb|lt1|whsec)_[A-Za-z0-9_+/=-]+/g, '$1_...');
}

/** The one way to say "no such thing": the same words whether it is missing or merely not this token's. */
export function notFound(kind: string, id: string): Problem {
  return problem('not_found', `There is no ${kind} '${withoutSecrets(id).slice(0, 80)}' here.`);
}
