/**
 * The one wrapper around whatever answers a function's requests. It alone turns errors into problem details, and it
 * alone writes the request's line in the log.
 */
import type { Directory } from '../../shared/auth/resolve-caller.ts';
import type { Caller, Engine } from '../../shared/engine.ts';
import { isProblem, withoutSecrets } from '../../shared/errors.ts';
import { fitAnswer } from './fit-answer.ts';
import { describeError, type Log, type LogFields } from './log.ts';
import { readRequest, type HttpRequest } from './read-request.ts';
import { requestSpan, type RequestSpan } from './span.ts';
import { internalProblem, problemAnswer, type HttpAnswer } from './write-answer.ts';

/** What an instance keeps between requests. */
export interface Instance extends Directory {
  readonly engine: Engine;
  /** Resolves when the engine can read and make lease tokens. */
  readonly ready: () => Promise<void>;
  readonly log: Log;
  /** Share of traces that spans are recorded of, 0 to 1. */
  readonly traceRate: number;
}

/** What is known of a request by the time its line is written. */
export interface Trace {
  requestId: string;
  method?: string;
  route?: string;
  ids?: Readonly<Record<string, string>>;
  caller?: Caller;
  /** Of the trace that it belongs to; null for none. */
  span: RequestSpan | null;
  /** Of a protocol within the request: what was called, and what it said. */
  inner?: LogFields;
  /** Of a claim that was answered with nothing: why. */
  empty?: LogFields;
  /** Under way beside the request; done before its answer goes out. */
  readonly beside: Promise<void>[];
  /** Go out with the answer, whatever it is. */
  headers?: Readonly<Record<string, string>>;
  /** What went wrong, also where the answer's status does not say so. */
  error?: unknown;
}

/** Answers one request, noting in the trace what its line is to say. What it throws is answered as a problem. */
export type RequestAnswerer = (request: HttpRequest, trace: Trace) => Promise<HttpAnswer>;

/** The handler of one function: payload format 2.0 in, its structured response out. It never throws. */
export function requestHandler(
  instance: Instance,
  answerRequest: RequestAnswerer,
): (event: unknown) => Promise<HttpAnswer> {
  const now = () => instance.engine.deps.now();
  return async (event) => {
    const startedAt = now();
    const trace: Trace = { requestId: 'unknown', span: null, beside: [] };
    const answer = fitAnswer(await answerOrProblem(instance, event, trace, answerRequest), trace);
    await Promise.all(trace.beside);
    logRequest(instance.log, trace, answer, now() - startedAt);
    return trace.headers === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, ...trace.headers } };
  };
}

async function answerOrProblem(
  { engine, traceRate }: Instance,
  event: unknown,
  trace: Trace,
  answerRequest: RequestAnswerer,
): Promise<HttpAnswer> {
  try {
    const request = readRequest(event);
    trace.requestId = request.id;
    trace.method = request.method;
    trace.span = requestSpan(request.header('traceparent'), traceRate, engine.deps);
    return await answerRequest(request, trace);
  } catch (error) {
    trace.error = error;
    const refusal = isProblem(error) ? error : internalProblem(trace.requestId);
    return problemAnswer(refusal, trace.requestId);
  }
}

/** The ids of the path as they may be logged: whoever puts a token there must not find it in the log. */
function shownIds(ids: Trace['ids'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, withoutSecrets(id)]));
}

function logRequest(log: Log, trace: Trace, answer: HttpAnswer, ms: number): void {
  const { requestId, method, route, ids, caller, span, inner, error, empty } = trace;
  const status = answer.statusCode;
  const unforeseen = error !== undefined && !isProblem(error);
  const level = unforeseen ? 'ERROR' : status >= 500 ? 'WARN' : 'INFO';
  log(level, 'request', {
    request_id: requestId,
    ...span?.fields,
    method,
    route,
    ...inner,
    status,
    ...(isProblem(error) ? { code: error.code } : unforeseen ? { code: 'internal' } : {}),
    ms,
    ...empty,
    ...shownIds(ids),
    ...(caller === undefined ? {} : { token_id: caller.tokenId, agent: caller.agent }),
    ...(unforeseen || status >= 500 ? { error: describeError(error) } : {}),
  });
}
