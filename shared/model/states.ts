/** Words of the model that everything else speaks in. */

export const CARD_STATES = [
  'idle',
  'waiting',
  'ready',
  'leased',
  'blocked',
  'done',
  'dead',
  'archived',
] as const;
export type CardState = (typeof CARD_STATES)[number];

/** Why a card waits; the first that holds, in this order. */
export const WAITING_ON = ['draft', 'hold', 'container', 'parents', 'input', 'schedule', 'backoff'] as const;
export type WaitingOn = (typeof WAITING_ON)[number];

export const COLUMN_ROLES = ['triage', 'todo', 'work', 'review', 'blocked', 'done', 'plain'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

export const RUN_OUTCOMES = [
  'completed',
  'failed',
  'expired',
  'released',
  'blocked',
  'review_requested',
  'changes_requested',
  'taken_over',
  'timed_out',
  'reclaimed',
  'dead_lettered',
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const FAIL_KINDS = ['error', 'rate_limited', 'timeout', 'invalid_input'] as const;
export type FailKind = (typeof FAIL_KINDS)[number];

export const BLOCK_KINDS = ['needs_input', 'capability', 'transient'] as const;

export const SCOPES = ['worker', 'member', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_PRIORITY = 5;
export const MAX_PRIORITY = 9;
