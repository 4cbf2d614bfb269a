/** Answers as an API Gateway HTTP API takes them: JSON, and problem details (RFC 9457) for refusals. */
import { problem, type Problem } from '../../shared/errors.ts';
import { problemView } from '../../shared/views/problem.ts';
import { NDJSON, pageLines } from './ndjson.ts';
import type { RouteAnswer } from './route.ts';

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body is in base64: the gateway sends what it stands for. */
  readonly isBase64Encoded?: true;
}

export const FIXED_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function successAnswer({ status, value, replayed }: RouteAnswer, requestId: string): HttpAnswer {
  const tag = cardTag(value);
  const headers = {
    ...FIXED_HEADERS,
    'x-request-id': requestId,
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
    ...(tag === null ? {} : { etag: tag }),
  };
  if (status === 204) return { statusCode: status, headers };
  return {
    statusCode: status,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}

/** A page of a list as NDJSON. */
export function linesAnswer({ status, value }: RouteAnswer, requestId: string): HttpAnswer {
  const headers = { ...FIXED_HEADERS, 'x-request-id': requestId, 'content-type': NDJSON };
  return { statusCode: status, headers, body: pageLines(value) };
}

export function problemAnswer(refusal: Problem, requestId: string): HttpAnswer {
  const view = problemView(refusal);
  return {
    statusCode: view.status,
    headers: {
      ...FIXED_HEADERS,
      'content-type': 'application/problem+json',
      'x-request-id': requestId,
      ...headersOf(refusal),
    },
    body: JSON.stringify({ ...view, request_id: requestId }),
  };
}

/** What stands in for an error that nobody foresaw: the request's id, and nothing else that could leak. */
export function internalProblem(requestId: string): Problem {
  return problem('internal', `Something unexpected happened; the log has it under ${requestId}. Try again.`);
}

function headersOf({ code, extras }: Problem): Record<string, string> {
  const { allow, retry_after_seconds: retryAfter } = extras;
  return {
    ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(Array.isArray(allow) ? { allow: allow.join(', ') } : {}),
    ...(typeof retryAfter === 'number' ? { 'retry-after': String(Math.ceil(retryAfter)) } : {}),
  };
}

/** The ETag of an answer that is a card: its `rev`. */
function cardTag(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('rev' in value)) return null;
  return String(value.id).startsWith('crd_') ? `"${String(value.rev)}"` : null;
}
