/** Finds who sends a request, and counts it where an admin has limited how many they may send. */
import {
  countRequest,
  mustBeWithin,
  RATE_WINDOW_SECONDS,
  type Standing,
} from '../../shared/auth/rate-limit.ts';
import { resolveCaller } from '../../shared/auth/resolve-caller.ts';
import type { Caller } from '../../shared/engine.ts';
import type { HttpRequest } from './read-request.ts';
import type { Instance, Trace } from './request-handler.ts';

/** @throws Problem for a caller who is not known, or has no request left in this window. */
export async function findCaller(request: HttpRequest, instance: Instance, trace: Trace): Promise<Caller> {
  const { engine } = instance;
  const authorization = request.header('authorization');
  const credentials = { authorization, sessionArn: request.sessionArn };
  const caller = await resolveCaller(engine, instance, credentials, (work) => trace.beside.push(work));
  trace.caller = caller;
  const standing = await countRequest(engine, caller);
  if (standing === null) return caller;
  trace.headers = rateHeaders(standing);
  mustBeWithin(standing);
  return caller;
}

/** As the IETF's draft on rate limit headers has them: the policy of the token, and what is left of it. */
function rateHeaders({ limit, remaining, resetSeconds }: Standing): Record<string, string> {
  return {
    'ratelimit-policy': `"token";q=${limit};w=${RATE_WINDOW_SECONDS}`,
    ratelimit: `"token";r=${Math.max(0, remaining)};t=${resetSeconds}`,
  };
}
