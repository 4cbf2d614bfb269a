/**
 * The one wrapper between the gateway and the verbs. It alone turns events into requests, results into answers and
 * errors into problem details, and it alone writes the request's line in the log.
 */
import { authenticate } from '../../shared/auth/authenticate.ts';
import { nameAgent } from '../../shared/auth/name-agent.ts';
import type { Cache } from '../../shared/cache.ts';
import { hasScope, type Caller, type Engine } from '../../shared/engine.ts';
import { isProblem, Problem, problem } from '../../shared/errors.ts';
import type { TokenItem } from '../../shared/store/items.ts';
import { describeError, type Log } from './log.ts';
import { routeMatcher, type Matched } from './match-route.ts';
import { readRequest, type HttpRequest } from './read-request.ts';
import { readRouteRequest } from './read-route-request.ts';
import { isOpen, type Address, type OpenRoute, type Route } from './route.ts';
import { internalProblem, problemAnswer, successAnswer, type HttpAnswer } from './write-answer.ts';

/** What an instance keeps between requests. */
export interface Instance {
  readonly engine: Engine;
  readonly tokens: Cache<TokenItem>;
  /** Resolves when the engine can read and make lease tokens. */
  readonly ready: () => Promise<void>;
  readonly log: Log;
}

export interface EndpointOptions {
  readonly routes: readonly (Route | OpenRoute)[];
  /** Addresses that the gateway sends here in part: by these a wrong method is told from a wrong path. */
  readonly elsewhere?: readonly Address[];
  readonly instance: Instance;
}

/** What is known of a request by the time its line is written. */
interface Trace {
  requestId: string;
  method?: string;
  route?: string;
  ids?: Readonly<Record<string, string>>;
  caller?: Caller;
}

/** The handler of one function: payload format 2.0 in, its structured response out. It never throws. */
export function endpoint(options: EndpointOptions): (event: unknown) => Promise<HttpAnswer> {
  const { instance } = options;
  const match = routeMatcher(options.routes, options.elsewhere);
  return async (event) => {
    const startedAt = instance.engine.deps.now();
    const trace: Trace = { requestId: 'unknown' };
    const { answer, error } = await answerOrProblem(event, trace, match, instance);
    const ms = instance.engine.deps.now() - startedAt;
    logRequest(instance.log, trace, answer, ms, error);
    return answer;
  };
}

type Matcher = ReturnType<typeof routeMatcher<Route | OpenRoute>>;

async function answerOrProblem(
  event: unknown,
  trace: Trace,
  match: Matcher,
  instance: Instance,
): Promise<{ answer: HttpAnswer; error?: unknown }> {
  try {
    const request = readRequest(event);
    trace.requestId = request.id;
    trace.method = request.method;
    return { answer: await answerRequest(request, trace, match, instance) };
  } catch (error) {
    const refusal = isProblem(error) ? error : internalProblem(trace.requestId);
    return { answer: problemAnswer(refusal, trace.requestId), error };
  }
}

async function answerRequest(
  request: HttpRequest,
  trace: Trace,
  match: Matcher,
  instance: Instance,
): Promise<HttpAnswer> {
  const { route, params } = matched(match, request);
  trace.route = route.path;
  trace.ids = params;
  if (isOpen(route)) {
    return successAnswer({ status: 200, value: route.answer(), replayed: false }, request.id);
  }
  if (instance.tokens.size === 0)
    route.prefetch?.(instance.engine, params, request.header('x-agent') ?? null);
  const [caller] = await Promise.all([callerOf(request, route, instance), instance.ready()]);
  trace.caller = caller;
  const input = readRouteRequest(request, route, params);
  const session = nameAgent(caller, input.agent);
  trace.caller = session;
  return successAnswer(await route.run(instance.engine, session, input), request.id);
}

function matched(match: Matcher, request: HttpRequest): Matched<Route | OpenRoute> {
  const found = match(request.method, request.rawPath);
  if ('route' in found) return found;
  if (found.allow.length === 0) {
    throw problem('not_found', 'There is nothing at this address. GET /v1/openapi.json lists all there is.');
  }
  throw new Problem('method_not_allowed', `This address takes ${found.allow.join(', ')} only.`, {
    allow: found.allow,
  });
}

/** Nothing of the request is looked at before the caller is known and may use the route. */
async function callerOf(request: HttpRequest, route: Route, { engine, tokens }: Instance): Promise<Caller> {
  const caller = await authenticate(engine, tokens, request.header('authorization'));
  if (route.scope !== null && !hasScope(caller, route.scope)) {
    throw problem(
      'forbidden',
      `This needs a token with the scope '${route.scope}'; yours has ${caller.scopes.join(', ')}.`,
    );
  }
  return caller;
}

function logRequest(log: Log, trace: Trace, answer: HttpAnswer, ms: number, error: unknown): void {
  const { requestId, method, route, ids, caller } = trace;
  const status = answer.statusCode;
  const unforeseen = error !== undefined && !isProblem(error);
  const level = unforeseen ? 'ERROR' : status >= 500 ? 'WARN' : 'INFO';
  log(level, 'request', {
    request_id: requestId,
    method,
    route,
    status,
    ...(isProblem(error) ? { code: error.code } : unforeseen ? { code: 'internal' } : {}),
    ms,
    ...ids,
    ...(caller === undefined ? {} : { token_id: caller.tokenId, agent: caller.agent }),
    ...(status >= 500 ? { error: describeError(error) } : {}),
  });
}
