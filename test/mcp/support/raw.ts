/** Requests as a client sends them, one by one: for what no official client would send. */
import { request as send } from 'node:http';

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; a string or a buffer as it is. */
  readonly body?: unknown;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed where it is JSON. */
  readonly body: Record<string, unknown>;
}

/** With node:http, since `fetch` sets `Host` and `Origin` as it thinks best. */
export async function raw(origin: string, request: RawRequest): Promise<RawAnswer> {
  const { method = 'POST', path = '/mcp', headers = {}, body } = request;
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const own = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = send(new URL(path, origin), { method, headers: { ...own, ...headers } });
  sent.once('error', reject);
  sent.once('response', (incoming) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: parsed(text) });
    });
  });
  sent.end(bytes);
  return promise;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of the current revision, with the headers that go with it. */
export function modern(method: string, params: Record<string, unknown> = {}): RawRequest {
  const name = params['name'];
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
  };
}

/** A request of the revisions before. */
export function legacy(method: string, params: Record<string, unknown> = {}): RawRequest {
  return { body: { jsonrpc: '2.0', id: 1, method, params } };
}
