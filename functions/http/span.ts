/**
 * The trace of a request: the caller's, or one of its own, and whether this function records a span of it. A span is
 * the request's line in the log with three ids more: no call, and no SDK in the bundles of the hot verbs.
 */
import type { Deps } from '../../shared/deps.ts';
import { parseTraceparent, traceparentText } from '../../shared/trace-context.ts';
import type { LogFields } from './log.ts';

export interface RequestSpan {
  /** For the request's line. */
  readonly fields: LogFields;
  /** What the request makes is a child of this: of the span where it is recorded, else of the caller's. */
  readonly traceparent: string;
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
/** The digits at a trace id's end that are random by the standard, as many as a number holds exactly. */
const RANDOM_DIGITS = 13;

/**
 * Null for a request that belongs to no trace.
 *
 * @param given The caller's `traceparent`, unread.
 * @param rate Share of traces that are recorded, 0 to 1. It is decided by the trace's id, so every function decides
 *   the same, and a caller that samples everything costs no more than this.
 */
export function requestSpan(given: unknown, rate: number, deps: Pick<Deps, 'secret'>): RequestSpan | null {
  const caller = parseTraceparent(given);
  if (caller === null && rate === 0) return null;
  const traceId = caller?.traceId ?? newId(TRACE_ID_BYTES, deps);
  const fields = { trace_id: traceId };
  if (caller?.sampled !== false && isRecorded(traceId, rate)) {
    const spanId = newId(SPAN_ID_BYTES, deps);
    const parent = caller === null ? {} : { parent_span_id: caller.spanId };
    const traceparent = traceparentText({ traceId, spanId, sampled: true });
    return { fields: { ...fields, span_id: spanId, ...parent }, traceparent };
  }
  return caller === null ? null : { fields, traceparent: traceparentText(caller) };
}

/** As OpenTelemetry's consistent probability sampling: whoever asks for a higher rate records these and more. */
function isRecorded(traceId: string, rate: number): boolean {
  return Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) / 16 ** RANDOM_DIGITS >= 1 - rate;
}

function newId(bytes: number, deps: Pick<Deps, 'secret'>): string {
  return Buffer.from(deps.secret(bytes), 'base64url').toString('hex');
}
