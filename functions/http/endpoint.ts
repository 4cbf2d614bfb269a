/** Between the gateway and the verbs: finds a request's route, who calls and what it says, and runs the route. */
import { nameAgent } from '../../shared/auth/name-agent.ts';
import { findColumn } from '../../shared/columns.ts';
import type { Caller, Engine } from '../../shared/engine.ts';
import { Problem, problem } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-schema/json.ts';
import { findCaller } from './find-caller.ts';
import type { LogFields } from './log.ts';
import { routeMatcher, type Matched } from './match-route.ts';
import { wantsNdjson } from './ndjson.ts';
import type { HttpRequest } from './read-request.ts';
import { readRouteRequest } from './read-route-request.ts';
import { requestHandler, type Instance, type Trace } from './request-handler.ts';
import { isOpen, mustHold, type Address, type OpenRoute, type Route } from './route.ts';
import { linesAnswer, successAnswer, type HttpAnswer } from './write-answer.ts';

export interface EndpointOptions {
  readonly routes: readonly (Route | OpenRoute)[];
  /** Addresses that the gateway sends here in part: by these a wrong method is told from a wrong path. */
  readonly elsewhere?: readonly Address[];
  readonly instance: Instance;
}

/** The handler of a function that serves routes. */
export function endpoint(options: EndpointOptions): (event: unknown) => Promise<HttpAnswer> {
  const { instance } = options;
  const match = routeMatcher(options.routes, options.elsewhere);
  return requestHandler(instance, async (request, trace) => answerRequest(request, trace, match, instance));
}

type Matcher = ReturnType<typeof routeMatcher<Route | OpenRoute>>;

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
  const [caller] = await Promise.all([callerOf(request, route, instance, trace), instance.ready()]);
  const input = readRouteRequest(request, route, params, trace.span?.traceparent ?? null);
  const session = nameAgent(caller, input.agent);
  trace.caller = session;
  const answer = await route.run(instance.engine, session, input);
  trace.empty = await emptyReason(instance.engine, params, answer.value);
  const lines = route.lines && route.method === 'GET' && wantsNdjson(request);
  return lines ? linesAnswer(answer, request.id) : successAnswer(answer, request.id);
}

/**
 * A claim that found nothing says why: in the log too, where filters count those that others were quicker in, of all
 * columns and of each that its contract wants measured.
 */
async function emptyReason(engine: Engine, { column }: Params, value: unknown): Promise<LogFields> {
  if (!isObject(value) || typeof value['reason'] !== 'string') return {};
  const { reason, card, claims } = value;
  if (card !== null && !(Array.isArray(claims) && claims.length === 0)) return {};
  if (reason !== CONTENDED || column === undefined) return { reason };
  return (await findColumn(engine, column))?.contract.metrics === true
    ? { reason, measured: true }
    : { reason };
}

const CONTENDED = 'contended';
type Params = Readonly<Record<string, string>>;

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
async function callerOf(
  request: HttpRequest,
  route: Route,
  instance: Instance,
  trace: Trace,
): Promise<Caller> {
  const caller = await findCaller(request, instance, trace);
  mustHold(caller, route);
  return caller;
}
