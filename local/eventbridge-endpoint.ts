/** As much of EventBridge as the functions use: PutEvents. What is on the bus is kept for whoever looks. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { listen, type ErrorLog, type LocalServer } from './http-server.ts';
import { readBody } from './request-body.ts';

/** PutEvents takes 256 KB; a larger request is refused, not buffered. */
const MAX_BODY_BYTES = 512 * 1024;
const MAX_ENTRIES = 10;
const MAX_ENTRIES_BYTES = 256 * 1024;
/** Enough to look at; nothing here grows without a bound. */
const KEPT_EVENTS = 1_000;

/** An event as a rule's target would get it. */
export interface BusEvent {
  readonly id: string;
  readonly bus: string;
  readonly source: string;
  readonly detailType: string;
  readonly time: string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

export interface EventBridgeEndpoint extends LocalServer {
  /** The newest on the bus, oldest first. */
  readonly recent: () => readonly BusEvent[];
}

interface Entry {
  readonly EventBusName?: string;
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly Time?: number;
  readonly Resources?: readonly string[];
}

/** Serves on a free loopback port. It checks no signature: it only takes, and shows nothing to a caller. */
export async function startEventBridgeEndpoint(logError: ErrorLog): Promise<EventBridgeEndpoint> {
  const server = await listen(0, logError);
  const kept: BusEvent[] = [];
  server.answerWith(async (request, response) => {
    const body = await readBody(request, MAX_BODY_BYTES);
    const entries = entriesOf(body);
    if (request.headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
      sendError(response, 'UnknownOperationException', 'Only PutEvents is served here.');
    } else if (entries === null || entries.length === 0 || entries.length > MAX_ENTRIES) {
      sendError(response, 'ValidationException', `Entries must be a list of 1 to ${MAX_ENTRIES}.`);
    } else if (bytesOf(entries) > MAX_ENTRIES_BYTES) {
      sendError(
        response,
        'ValidationException',
        'Total size of the entries in the request is over the limit.',
      );
    } else {
      const results = entries.map((entry) => put(kept, entry));
      kept.splice(0, kept.length - KEPT_EVENTS);
      const FailedEntryCount = results.filter((result) => 'ErrorCode' in result).length;
      send(response, 200, { FailedEntryCount, Entries: results });
    }
  });
  return { ...server, recent: () => [...kept] };
}

function entriesOf(body: Buffer | null): readonly Entry[] | null {
  try {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? '');
    const entries = typeof value === 'object' && value !== null && 'Entries' in value ? value.Entries : null;
    return Array.isArray(entries) ? entries : null;
  } catch {
    return null;
  }
}

/** As PutEvents counts: time 14 bytes, the rest by its length in UTF-8. */
function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((bytes, { Source = '', DetailType = '', Detail = '', Resources = [] }) => {
    const texts = [Source, DetailType, Detail, ...Resources];
    return bytes + 14 + texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }, 0);
}

function put(kept: BusEvent[], entry: Entry): Record<string, string> {
  const { Source, DetailType, Detail } = entry;
  if (Source === undefined || DetailType === undefined || Detail === undefined) {
    return refusal('InvalidArgument', 'Parameter Source, DetailType or Detail is missing.');
  }
  const detail = parse(Detail);
  if (detail === undefined) return refusal('MalformedDetail', 'Detail is malformed.');
  const id = randomUUID();
  kept.push({
    id,
    bus: entry.EventBusName ?? 'default',
    source: Source,
    detailType: DetailType,
    time: new Date((entry.Time ?? Date.now() / 1_000) * 1_000).toISOString(),
    resources: entry.Resources ?? [],
    detail,
  });
  return { EventId: id };
}

const refusal = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });

/** undefined unless it is a JSON object. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sendError(response: ServerResponse, type: string, message: string): void {
  send(response, 400, { __type: type, message });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
}
