/**
 * Both eras of the protocol from one address, and plain JSON in both: revisions up to 2025-11-25, which begin with
 * `initialize`, and those from 2026-07-28 on, whose every request stands alone. Nothing is kept between requests.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';

/**
 * @param body The request's body, parsed.
 * @param newServer Called once for each request that is served.
 * @param onError Is told why a request was refused.
 */
export async function serveMcp(
  request: Request,
  body: unknown,
  newServer: () => Server,
  onError: (error: Error) => void,
): Promise<Response> {
  if (await isLegacyRequest(request, body)) return serveEarlier(request, body, newServer());
  // The mode that streams only what comes before a result; no tool here says anything before its result.
  const { fetch } = createMcpHandler(newServer, { legacy: 'reject', responseMode: 'auto', onerror: onError });
  return fetch(request, { parsedBody: body });
}

/** The handler's own fallback answers these as an event stream of one event, which helps nobody. */
async function serveEarlier(request: Request, body: unknown, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: body });
  await server.close();
  return response;
}
