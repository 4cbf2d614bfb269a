/** One call as data: what is sent, and what makes repeating it safe. Routes build these; the transport sends. */
import type { Repeat } from './retry.ts';

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly repeat: Repeat;
  /** Milliseconds that the server may take (a long poll, many rows), on top of the usual time. */
  readonly serverWaitMs?: number;
  /** `text` for NDJSON, which is no JSON document. */
  readonly answer?: 'json' | 'text';
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one try; default 10,000, plus the wait of a long poll. */
  readonly timeoutMs?: number | undefined;
  /** Further tries after the first; default 4. */
  readonly retries?: number | undefined;
  /** Instead of the generated one, to repeat a create or a claim across restarts of the caller. */
  readonly idempotencyKey?: string | undefined;
  /** Token of the card's current lease: with it a worker may change its own card, and the lease is renewed. */
  readonly leaseToken?: string | undefined;
  /** `rev` that the caller has seen; a card changed since then answers 412 `stale_revision`. */
  readonly ifMatch?: number | string | undefined;
  /** W3C trace context of this call, instead of the client's. Cards that it makes keep it. */
  readonly traceparent?: string | undefined;
}

export type Send = <Answer>(call: Call, options?: RequestOptions) => Promise<Answer>;

export function read(path: string, query?: Call['query']): Call {
  return { method: 'GET', path, query, repeat: 'always' };
}

/** A POST that creates or claims: the transport adds an Idempotency-Key. */
export function create(path: string, body: unknown = {}): Call {
  return { method: 'POST', path, body, repeat: 'keyed' };
}

/** A POST whose repeat has the same effect: closing verbs by token, renewals, pause and resume. */
export function repeatable(path: string, body: unknown = {}): Call {
  return { method: 'POST', path, body, repeat: 'always' };
}

/** A POST that must not happen twice. */
export function once(path: string, body: unknown = {}): Call {
  return { method: 'POST', path, body, repeat: 'once' };
}

export function replace(path: string, body: unknown): Call {
  return { method: 'PUT', path, body, repeat: 'always' };
}

/** A change on top of what others may have changed meanwhile, so not repeated blindly. */
export function change(path: string, body: unknown): Call {
  return { method: 'PATCH', path, body, repeat: 'once' };
}

export function remove(path: string, query?: Call['query']): Call {
  return { method: 'DELETE', path, query, repeat: 'always' };
}

/** Path of literal parts and values: `` at`/v1/boards/${slug}` `` escapes the values. */
export function at(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((path, part, index) => path + encodeURIComponent(values[index - 1] ?? '') + part);
}
