/** Makes the event that an API Gateway HTTP API sends to a function: payload format 2.0. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { IncomingMessage } from 'node:http';
import type { RouteMatch } from './route-match.ts';

/** Everything else arrives in base64, so also what `curl -d` sends without a Content-Type of its own. */
const TEXT_TYPE = /^(text\/|application\/(.+\+)?(json|xml)\b|application\/javascript\b)/i;

export interface RequestParts {
  readonly rawPath: string;
  readonly rawQueryString: string;
}

/** Splits the request target; both halves stay as they came over the wire. */
export function splitTarget(target: string): RequestParts {
  const at = target.indexOf('?');
  return at === -1
    ? { rawPath: target, rawQueryString: '' }
    : { rawPath: target.slice(0, at), rawQueryString: target.slice(at + 1) };
}

/**
 * @param requestId Names the request in the event, in the function's context and in the log.
 * @param receivedAt Milliseconds since the epoch.
 */
export function gatewayEvent(
  request: IncomingMessage,
  body: Buffer,
  match: RouteMatch<unknown>,
  requestId: string,
  receivedAt: number,
): APIGatewayProxyEventV2 {
  const { rawPath, rawQueryString } = splitTarget(request.url ?? '/');
  const { cookie, ...headers } = joinedHeaders(request);
  return {
    version: '2.0',
    routeKey: match.routeKey,
    rawPath,
    rawQueryString,
    headers,
    ...(cookie === undefined ? {} : { cookies: cookie.split(/; */) }),
    ...(rawQueryString === '' ? {} : { queryStringParameters: joinedQuery(rawQueryString) }),
    ...(match.pathParameters === null ? {} : { pathParameters: { ...match.pathParameters } }),
    requestContext: requestContext(request, headers, match.routeKey, requestId, receivedAt),
    ...encodedBody(body, headers['content-type']),
  };
}

function requestContext(
  request: IncomingMessage,
  headers: Record<string, string>,
  routeKey: string,
  requestId: string,
  receivedAt: number,
): APIGatewayProxyEventV2['requestContext'] {
  return {
    accountId: '000000000000',
    apiId: 'local',
    // The gateway's own name, as an account's gateway has one: a `Host` that was made up must not pass for it.
    domainName: '127.0.0.1',
    domainPrefix: 'local',
    http: {
      method: request.method ?? 'GET',
      path: splitTarget(request.url ?? '/').rawPath,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      userAgent: headers['user-agent'] ?? '',
    },
    requestId,
    routeKey,
    stage: '$default',
    time: logTime(receivedAt),
    timeEpoch: receivedAt,
  };
}

/** As in an access log: `12/Mar/2020:19:03:58 +0000`. */
function logTime(ms: number): string {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Lower-case names; a header that came twice is one value with a comma, cookies one with a semicolon. */
function joinedHeaders(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headersDistinct);
  return Object.fromEntries(
    entries.map(([name, values]) => [name, (values ?? []).join(name === 'cookie' ? '; ' : ',')]),
  );
}

function joinedQuery(rawQueryString: string): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    const before = joined[name];
    joined[name] = before === undefined ? value : `${before},${value}`;
  }
  return joined;
}

function encodedBody(
  body: Buffer,
  contentType: string | undefined,
): Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'> {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = contentType !== undefined && TEXT_TYPE.test(contentType);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}
