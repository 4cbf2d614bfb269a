/** Request lines of the functions' logs, as CloudWatch Logs hands them on, made into OpenTelemetry's spans (OTLP as JSON). */
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';

const Subscription = z.object({ awslogs: z.object({ data: z.string() }) });

const Batch = z.object({
  messageType: z.string(),
  logGroup: z.string(),
  logEvents: z.array(z.object({ message: z.string() })),
});

/** A line with a span's id; what else it says are the span's attributes. */
const Line = z.looseObject({
  timestamp: z.iso.datetime(),
  trace_id: z.string(),
  span_id: z.string(),
  parent_span_id: z.string().optional(),
  method: z.string(),
  route: z.string().optional(),
  status: z.int(),
  ms: z.number(),
  code: z.string().optional(),
});
type Line = z.infer<typeof Line>;

/** Attributes that OpenTelemetry has names for; all others are Leaseboard's own. */
const NAMES: Readonly<Record<string, string>> = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  code: 'error.type',
};
/** They are the span itself, or say nothing of the request. An error's stack is for the log. */
const NO_ATTRIBUTES = new Set([
  'timestamp',
  'level',
  'message',
  'trace_id',
  'span_id',
  'parent_span_id',
  'ms',
  'error',
]);

const SERVER = 2;
const ERROR = 2;
const NANOS_PER_MS = 1_000_000n;
const LEAST_SERVER_ERROR = 500;

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

/** Null when there is nothing to send. What is no request's line is left out: it would fail the next time too. */
export function spansOf(event: unknown): object | null {
  const { awslogs } = Subscription.parse(event);
  const text = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString('utf8');
  const batch = Batch.parse(JSON.parse(text));
  // CloudWatch looks whether somebody listens, by messages of another type.
  if (batch.messageType !== 'DATA_MESSAGE') return null;
  const spans = batch.logEvents.flatMap(({ message }) => spanOf(message));
  if (spans.length === 0) return null;
  const attributes = [
    attribute('service.name', 'leaseboard'),
    attribute('aws.log.group.name', batch.logGroup),
  ];
  return {
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'leaseboard' }, spans }] }],
  };
}

function spanOf(message: string): object[] {
  const line = lineOf(message);
  if (line === null) return [];
  const {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: parentSpanId,
    method,
    route,
    status,
    ms,
  } = line;
  const endedAt = Date.parse(line.timestamp);
  return [
    {
      traceId,
      spanId,
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name: route === undefined ? method : `${method} ${route}`,
      kind: SERVER,
      startTimeUnixNano: nanos(endedAt - ms),
      endTimeUnixNano: nanos(endedAt),
      attributes: attributesOf(line),
      ...(status >= LEAST_SERVER_ERROR ? { status: { code: ERROR } } : {}),
    },
  ];
}

function lineOf(message: string): Line | null {
  try {
    return Line.parse(JSON.parse(message));
  } catch {
    return null;
  }
}

function attributesOf(line: Line): Attribute[] {
  return Object.entries(line).flatMap(([name, value]) =>
    NO_ATTRIBUTES.has(name) || !['string', 'number'].includes(typeof value)
      ? []
      : [attribute(NAMES[name] ?? `leaseboard.${name}`, value)],
  );
}

function attribute(key: string, value: unknown): Attribute {
  return Number.isSafeInteger(value)
    ? { key, value: { intValue: String(value) } }
    : { key, value: { stringValue: String(value) } };
}

function nanos(ms: number): string {
  return String(BigInt(ms) * NANOS_PER_MS);
}
