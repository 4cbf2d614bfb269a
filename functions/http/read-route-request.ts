/** Puts together what a route is told: path, query and body, and what the headers say in their stead. */
import { problem } from '../../shared/errors.ts';
import { isObject } from '../../shared/json-schema/json.ts';
import { AgentName } from '../../shared/schemas/claims.ts';
import { isNdjson, parseRows } from './ndjson.ts';
import { parseJson } from './parse-json.ts';
import { refusedInput } from '../../shared/schemas/parse-input.ts';
import { readAgent, readPreconditions, readRepeatable } from './read-headers.ts';
import { jsonBody, readQuery, type HttpRequest } from './read-request.ts';
import { takesLeaseToken, type Route, type RouteRequest } from './route.ts';

/**
 * @param traceparent The trace that it belongs to; null for none.
 * @throws Problem for a body, a query or a header that cannot be read, whatever the route's schemas say.
 */
export function readRouteRequest(
  request: HttpRequest,
  route: Route,
  params: RouteRequest['params'],
  traceparent: string | null,
): RouteRequest {
  const body = route.body === null ? undefined : readBody(request, route);
  const agent = route.namesAgent ? oneAgent(body, readAgent(request)) : readAgent(request);
  return {
    params,
    query: readQuery(request.rawQuery),
    body: takesLeaseToken(route) ? withLeaseToken(body, request.header('x-lease-token')) : body,
    preconditions: route.ifMatch ? readPreconditions(request) : {},
    repeat: route.repeatable
      ? readRepeatable(request, canonicalPath(route.path, params), asked(route, body, agent))
      : null,
    agent,
    traceparent,
  };
}

/** A claim names who is to hold the card, wherever it says so: another agent's is another request. */
export function asked(route: Pick<Route, 'namesAgent'>, body: unknown, agent: string | null): unknown {
  return route.namesAgent && agent !== null && isObject(body) ? { ...body, agent } : body;
}

function readBody(request: HttpRequest, route: Route): unknown {
  if (!route.lines || !isNdjson(request)) return parseJson(bodyBytes(request, route));
  return parseRows(jsonBody(request, true));
}

/** An absent body says nothing, which a PUT cannot mean: it replaces the whole. */
function bodyBytes(request: HttpRequest, route: Route): Buffer {
  const bytes = jsonBody(request);
  if (route.method !== 'PUT' || bytes.length > 0) return bytes;
  throw problem(
    'malformed_json',
    'A PUT replaces the whole, and this one came without a body. Send the body.',
  );
}

/** A verb's path in its one spelling, so that a key used for `:verb` is known again at `/verb`. */
export function canonicalPath(template: string, params: RouteRequest['params']): string {
  return template.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => params[name] ?? '');
}

/** The header stands for the field that is not there; both at once have to agree. */
function withLeaseToken(body: unknown, header: string | undefined): unknown {
  if (header === undefined || !isObject(body)) return body;
  const { lease_token: inBody = header } = body;
  if (inBody !== header) throw disagreement('lease_token', 'X-Lease-Token');
  return { ...body, lease_token: header };
}

/**
 * The agent that a request names in its body or in the header; null for none.
 *
 * @throws Problem `validation_failed` when the two disagree.
 */
export function oneAgent(body: unknown, header: string | null): string | null {
  const inBody = AgentName.safeParse(isObject(body) ? body['agent'] : undefined);
  // What is no name is the route's schema to refuse.
  if (!inBody.success) return header;
  if (header !== null && header !== inBody.data) throw disagreement('agent', 'X-Agent');
  return inBody.data;
}

function disagreement(field: string, header: string) {
  return refusedInput([
    { path: `/${field}`, message: `is another than the header ${header} says; send one` },
  ]);
}
