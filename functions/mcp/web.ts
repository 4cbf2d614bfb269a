/** Between the gateway's requests and answers and the web's, which the protocol is written in. */
import type { HttpRequest } from '../http/read-request.ts';
import { FIXED_HEADERS, type HttpAnswer } from '../http/write-answer.ts';

/** What the protocol reads; above all no token goes further than it has to. */
const READ_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** What earlier revisions want a client to take. All of it, whoever asks: what is answered is JSON for everyone. */
const ACCEPT = 'application/json, text/event-stream';

/** The request without its body, which is parsed by then. */
export function webRequest(request: HttpRequest): Request {
  const headers = READ_HEADERS.flatMap((name): [string, string][] => {
    const value = request.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  const url = `https://${request.domain}${request.rawPath}`;
  return new Request(url, { method: request.method, headers: [['accept', ACCEPT], ...headers] });
}

export async function httpAnswer(response: Response, requestId: string): Promise<HttpAnswer> {
  const headers = { ...Object.fromEntries(response.headers), ...FIXED_HEADERS, 'x-request-id': requestId };
  const body = await response.text();
  return { statusCode: response.status, headers, ...(body === '' ? {} : { body }) };
}
