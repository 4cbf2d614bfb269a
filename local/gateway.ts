/** An API Gateway HTTP API in small: one request, the event, the function that its route names, the answer. */
import { randomUUID } from 'node:crypto';
import type { CommitBarrier } from './commit-barrier.ts';
import { gatewayEvent, splitTarget } from './gateway-event.ts';
import { sendGatewayError, sendResult } from './gateway-response.ts';
import type { Answerer, ErrorLog } from './http-server.ts';
import { invoke, type LocalFunction } from './lambda.ts';
import { readBody } from './request-body.ts';
import { routeMatcher } from './route-match.ts';

/** The gateway's own limit; what the API permits is less, and is the functions' to say. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface RoutedFunction extends LocalFunction {
  readonly routes: readonly string[];
}

/**
 * @param logError Is told what a function threw; the client sees the gateway's fixed sentence only.
 * @param committed Is waited for before a function's answer leaves.
 */
export function gateway(
  functions: readonly RoutedFunction[],
  logError: ErrorLog,
  committed: CommitBarrier,
): Answerer {
  const match = routeMatcher(
    functions.flatMap((target) => target.routes.map((routeKey) => [routeKey, target] as const)),
  );
  return async (request, response) => {
    const route = match(request.method ?? 'GET', splitTarget(request.url ?? '/').rawPath);
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body === null) return sendGatewayError(response, 413, 'Request Entity Too Large');
    if (route === null) return sendGatewayError(response, 404, 'Not Found');
    const requestId = randomUUID();
    const event = gatewayEvent(request, body, route, requestId, Date.now());
    try {
      const result = await invoke(route.target, event, requestId);
      await committed();
      sendResult(response, result);
    } catch (error) {
      logError(`Function ${route.target.name}, request ${requestId}`, error);
      sendGatewayError(response, 500, 'Internal Server Error');
    }
  };
}
