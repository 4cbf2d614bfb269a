/** EventBridge's part of a fan-out: each event as an entry on the bus, ten in a call. */
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { Deps } from '../deps.ts';
import type { OutgoingEvent } from '../events/log.ts';
import type { FanOutStep, Report } from '../events/step.ts';
import { BUS_JITTER_MS, BUS_TRIES } from '../policy.ts';
import { parseTraceparent, traceparentOf } from '../trace-context.ts';

export const EVENT_SOURCE = 'leaseboard';

/** PutEvents takes ten entries and 256 KB; an event has at most 20 KB. */
const ENTRIES_MAX = 10;

const CONNECT_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 3_000;

export interface EventBusOptions {
  /** Name or ARN. */
  readonly busName: string;
  readonly client: Pick<EventBridgeClient, 'send'>;
  readonly deps: Deps;
  readonly report: Report;
}

export function eventBridgeClient(): EventBridgeClient {
  return new EventBridgeClient({
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
}

/** Entries that the bus refuses one by one are sent again a few times; what is left then must come again. */
export function eventBusStep(options: EventBusOptions): FanOutStep {
  return async (events) => {
    const chunks: OutgoingEvent[][] = [];
    for (let at = 0; at < events.length; at += ENTRIES_MAX) chunks.push(events.slice(at, at + ENTRIES_MAX));
    const left = await Promise.all(chunks.map(async (chunk) => putChunk(options, chunk)));
    return new Set(left.flat().map(({ id }) => id));
  };
}

async function putChunk(options: EventBusOptions, chunk: readonly OutgoingEvent[]): Promise<OutgoingEvent[]> {
  const { deps, report } = options;
  let left = [...chunk];
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const refused = await putOnce(options, left);
    left = refused.map(({ event }) => event);
    if (left.length === 0 || attempt >= BUS_TRIES) {
      for (const { event, reason } of refused)
        report('event not on the bus', { event_id: event.id, reason }, 'WARN');
      break;
    }
    await deps.sleep(deps.random() * BUS_JITTER_MS * 2 ** attempt);
  }
  return left;
}

interface RefusedEntry {
  readonly event: OutgoingEvent;
  readonly reason: string;
}

/** The entries that were refused; all of them when the call itself failed. */
async function putOnce(
  { client, busName }: EventBusOptions,
  events: readonly OutgoingEvent[],
): Promise<RefusedEntry[]> {
  try {
    const Entries = events.map((event) => entryOf(event, busName));
    const answer = await client.send(new PutEventsCommand({ Entries }));
    return events.flatMap((event, at) => {
      const reason = answer.Entries?.[at]?.ErrorCode;
      return reason === undefined ? [] : [{ event, reason }];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    return events.map((event) => ({ event, reason }));
  }
}

function entryOf(event: OutgoingEvent, busName: string): PutEventsRequestEntry {
  const { type, text, at, boardId, cardId } = event;
  return {
    EventBusName: busName,
    Source: EVENT_SOURCE,
    DetailType: type,
    Detail: text,
    Time: new Date(at),
    ...traceHeader(text),
    Resources: [
      `urn:leaseboard:board:${boardId}`,
      ...(cardId === null ? [] : [`urn:leaseboard:card:${cardId}`]),
    ],
  };
}

/** The same trace in the form that AWS hands on to a rule's target. */
function traceHeader(text: string): Pick<PutEventsRequestEntry, 'TraceHeader'> {
  const trace = parseTraceparent(traceparentOf(text));
  if (trace === null) return {};
  const { traceId, spanId, sampled } = trace;
  const root = `1-${traceId.slice(0, EPOCH_DIGITS)}-${traceId.slice(EPOCH_DIGITS)}`;
  return { TraceHeader: `Root=${root};Parent=${spanId};Sampled=${sampled ? 1 : 0}` };
}

/** Where X-Ray puts its dash: once there was a time before it. */
const EPOCH_DIGITS = 8;
