/**
 * Sends calls: headers, time limits, repeats, and errors out of answers. Knows no route.
 */
import type { Call, RequestOptions, Send } from './call.ts';
import { isLeaseboardError, LeaseboardError } from './errors.ts';
import { readAnswer } from './answer.ts';
import { sleep, type Platform } from './platform.ts';
import { mayRepeat, retryDelayMs } from './retry.ts';

export interface TransportConfig {
  /** Address of the API, with the stage's path if it has one. */
  readonly url: string;
  /** `lb_<id>_<secret>` */
  readonly token: string;
  /** Name of this session, sent as X-Agent; not needed when the token is bound to one. */
  readonly agent?: string | undefined;
  readonly traceparent?: (() => string | undefined) | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly platform: Platform;
}

/** A `Send` for one server and one token. */
export function createTransport(config: TransportConfig): Send {
  return async <Answer>(call: Call, options: RequestOptions = {}): Promise<Answer> => {
    const request = prepare(config, call, options);
    const retries = options.retries ?? config.retries;
    for (let tries = 1; ; tries += 1) {
      try {
        return await tryOnce<Answer>(config.platform, call, request);
      } catch (error) {
        // A DELETE answers 204, whose value is no value.
        if (deletedByLostTry(call, tries, error)) return undefined as Answer;
        await waitOrThrow({ platform: config.platform, call, error, tries, retries, signal: options.signal });
      }
    }
  };
}

/** What is none, perhaps from an environment, is left out: a trace is no reason to fail a call. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

interface Prepared {
  readonly url: string;
  readonly init: { method: string; headers: Record<string, string>; redirect: 'manual'; body?: string };
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Built once per call, so that every try carries the same body and the same key. */
function prepare(config: TransportConfig, call: Call, options: RequestOptions): Prepared {
  const headers: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    authorization: `Bearer ${config.token}`,
    ...call.headers,
  };
  if (config.agent !== undefined && !namesAgent(call.body)) headers['x-agent'] = config.agent;
  if (options.leaseToken !== undefined) headers['x-lease-token'] = options.leaseToken;
  if (options.ifMatch !== undefined) headers['if-match'] = `"${options.ifMatch}"`;
  const traceparent = options.traceparent ?? config.traceparent?.();
  if (traceparent !== undefined && TRACEPARENT.test(traceparent)) headers['traceparent'] = traceparent;
  if (call.repeat === 'keyed') {
    headers['idempotency-key'] = options.idempotencyKey ?? config.platform.newKey();
  }
  mustNameAll(call);
  // A redirect would turn a POST into a GET, or carry a lease's token to another server: it is an error here.
  const init: Prepared['init'] = { method: call.method, headers, redirect: 'manual' };
  if (call.body !== undefined) {
    headers['content-type'] ??= 'application/json';
    init.body = typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  }
  return {
    url: config.url.replace(/\/+$/, '') + call.path + queryString(call.query),
    init,
    timeoutMs: (options.timeoutMs ?? config.timeoutMs) + (call.serverWaitMs ?? 0),
    signal: options.signal,
  };
}

/**
 * An id that is empty or made of dots would make another address of the path, and so another call: deleting the file
 * `..` of a card would delete the card.
 */
function mustNameAll({ method, path }: Call): void {
  const names = path
    .slice(1)
    .split('/')
    .map((segment) => segment.split(':')[0] ?? '');
  if (names.every((name) => !['', '.', '..'].includes(name))) return;
  throw new TypeError(`${method} ${path} lacks a name: an id in it is empty, or nothing but dots`);
}

/** A body that names its agent speaks for itself: two different names in one request are refused. */
function namesAgent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'agent' in body && body.agent !== undefined;
}

function queryString(query: Call['query']): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    pairs.set(name, typeof value === 'object' ? value.join(',') : String(value));
  }
  return pairs.size === 0 ? '' : `?${pairs.toString()}`;
}

async function tryOnce<Answer>(platform: Platform, call: Call, request: Prepared): Promise<Answer> {
  request.signal?.throwIfAborted();
  const limit = new AbortController();
  const cancel = platform.setTimer(request.timeoutMs, () => limit.abort());
  const signal =
    request.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, request.signal]);
  try {
    const response = await platform.fetch(request.url, { ...request.init, signal });
    return await readAnswer<Answer>(response, call.answer ?? 'json');
  } catch (error) {
    request.signal?.throwIfAborted();
    if (isLeaseboardError(error)) throw error;
    throw unanswered(call, request, limit.signal.aborted, error);
  } finally {
    cancel();
  }
}

function unanswered(call: Call, request: Prepared, timedOut: boolean, cause: unknown): LeaseboardError {
  const what = `${call.method} ${call.path}`;
  return new LeaseboardError({
    code: timedOut ? 'timeout' : 'network_error',
    status: 0,
    message: timedOut
      ? `${what} had no answer within ${request.timeoutMs} ms`
      : `${what} could not be sent or its answer was lost: is ${new URL(request.url).origin} reachable?`,
    cause,
  });
}

/** A repeated DELETE that finds nothing: the try whose answer was lost had deleted it. */
function deletedByLostTry(call: Call, tries: number, error: unknown): boolean {
  return call.method === 'DELETE' && tries > 1 && isLeaseboardError(error, 'not_found');
}

interface Failed {
  readonly platform: Platform;
  readonly call: Call;
  readonly error: unknown;
  readonly tries: number;
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

async function waitOrThrow(failed: Failed): Promise<void> {
  const { error, tries, platform } = failed;
  if (!isLeaseboardError(error)) throw error;
  if (tries > failed.retries || !mayRepeat(error, failed.call.repeat)) throw error;
  const delay = retryDelayMs(error, tries, platform.random());
  if (delay === null) throw error;
  await sleep(platform, delay, failed.signal);
}
