/** Between the gateway and the protocol: site, token, method and body first, then a server for this one request. */
import { nameAgent } from '../../shared/auth/name-agent.ts';
import { Problem, problem } from '../../shared/errors.ts';
import { findCaller } from '../http/find-caller.ts';
import { readAgent } from '../http/read-headers.ts';
import { jsonBody, type HttpRequest } from '../http/read-request.ts';
import { requestHandler, type Instance, type Trace } from '../http/request-handler.ts';
import { requestSpan } from '../http/span.ts';
import type { HttpAnswer } from '../http/write-answer.ts';
import { callTool, type ToolSession } from './call-tool.ts';
import { mustBeOwnSite } from './guard.ts';
import { describeMessages, logged, readMessages } from './messages.ts';
import { serveMcp } from './serve.ts';
import { mcpServer } from './server.ts';
import { httpAnswer, webRequest } from './web.ts';

const PATH = '/mcp';

/** The handler of the function: POST to /mcp is the protocol, and all else is refused. */
export function mcpEndpoint(instance: Instance): (event: unknown) => Promise<HttpAnswer> {
  return requestHandler(instance, async (request, trace) => {
    mustBeAtPath(request);
    trace.route = PATH;
    mustBeOwnSite(request);
    const session = await sessionOf(request, trace, instance);
    mustBePost(request);
    return answerMessages(request, session, instance);
  });
}

/**
 * The other addresses are those at which clients look for an OAuth server. There is none: to hear so in a true 404
 * is what makes them use the token that they were given.
 */
function mustBeAtPath({ rawPath }: HttpRequest): void {
  if (rawPath === PATH) return;
  throw problem(
    'not_found',
    `There is no OAuth server here. Send requests to ${PATH} with the header \`Authorization: Bearer\` and a token of this installation.`,
  );
}

async function sessionOf(request: HttpRequest, trace: Trace, instance: Instance): Promise<ToolSession> {
  const { engine } = instance;
  const [caller] = await Promise.all([findCaller(request, instance, trace), instance.ready()]);
  const agent = readAgent(request);
  trace.caller = nameAgent(caller, agent);
  return { engine, caller, agent, trace };
}

/** After the token is known: who has none learns nothing of what is here. */
function mustBePost({ method }: HttpRequest): void {
  if (method === 'POST') return;
  throw new Problem(
    'method_not_allowed',
    `${PATH} takes POST only: it keeps no sessions and streams nothing.`,
    {
      allow: ['POST'],
    },
  );
}

async function answerMessages(
  request: HttpRequest,
  session: ToolSession,
  { traceRate }: Instance,
): Promise<HttpAnswer> {
  const { engine, caller, trace } = session;
  const messages = readMessages(jsonBody(request));
  if ('refused' in messages) return httpAnswer(messages.refused, request.id);
  const { body } = messages;
  trace.inner = describeMessages(body);
  const newServer = () =>
    mcpServer(caller, async (tool, given, traceparent) => {
      // The protocol's own place for it; the header is of whatever carries the request.
      if (traceparent !== undefined) trace.span = requestSpan(traceparent, traceRate, engine.deps);
      return callTool(session, tool, given);
    });
  const response = await serveMcp(webRequest(request), body, newServer, (error) => {
    trace.inner = { ...trace.inner, refused: logged(error.message) };
  });
  return httpAnswer(response, request.id);
}
