/**
 * W3C Trace Context (`traceparent`): which trace a request belongs to. A card keeps its creator's, and hands it on with
 * claims, events and webhooks. What cannot be read is as if it were not there: by the standard the trace begins anew.
 */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span that the next one is a child of. */
  readonly spanId: string;
  /** Whether whoever began the trace records it. */
  readonly sampled: boolean;
}

/** A request that makes cards may say which trace they belong to. */
export interface Traced {
  readonly traceparent?: string | undefined;
}

/** Version, trace id, span id, flags, and what later versions may add. Ids of zeros only are none. */
const FORMAT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** A later version may be longer; nobody's is as long as this. */
const LENGTH_MAX = 255;
const SAMPLED = 1;

export function parseTraceparent(text: unknown): TraceContext | null {
  if (typeof text !== 'string' || text.length > LENGTH_MAX) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = FORMAT.exec(text) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** In the one version that is known here, whichever it came in. */
export function traceparentText({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** Of an event's envelope, as it was logged. */
export function traceparentOf(envelope: string): string | null {
  const { traceparent }: { traceparent?: unknown } = JSON.parse(envelope);
  const context = parseTraceparent(traceparent);
  return context === null ? null : traceparentText(context);
}
