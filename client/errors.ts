/** The one error that a call can throw, typed by `code`; a caller's own abort is thrown as it is. */
import type { Problem, ServerCode } from './problem.ts';

/** Codes of failures that no server answer names. */
export type LocalCode =
  /** No answer: refused, reset, unresolvable. The request may or may not have been carried out. */
  | 'network_error'
  /** No answer in time. The request may or may not have been carried out. */
  | 'timeout'
  /** An answer that is no problem document: a gateway's or a proxy's own. Go by the status. */
  | 'unexpected_answer';

export type ErrorCode = ServerCode | LocalCode;

export interface LeaseboardErrorParts {
  readonly code: ErrorCode;
  readonly message: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly problem?: Problem | undefined;
  /** What the server asked to wait, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

export class LeaseboardError extends Error {
  override readonly name = 'LeaseboardError';
  readonly code: ErrorCode;
  readonly status: number;
  /** The server's problem document, null when the answer was none. */
  readonly problem: Problem | null;
  readonly retryAfterSeconds: number | null;

  constructor(parts: LeaseboardErrorParts) {
    super(parts.message, parts.cause === undefined ? {} : { cause: parts.cause });
    this.code = parts.code;
    this.status = parts.status;
    this.problem = parts.problem ?? null;
    this.retryAfterSeconds = parts.retryAfterSeconds ?? null;
  }
}

/**
 * Whether `error` came from a call, and has this code when one is given. Goes by the name, not the class: two
 * copies of this module in one bundle must still understand each other.
 */
export function isLeaseboardError(error: unknown, code?: ErrorCode): error is LeaseboardError {
  if (!(error instanceof Error) || error.name !== 'LeaseboardError' || !('code' in error)) return false;
  return code === undefined || error.code === code;
}
