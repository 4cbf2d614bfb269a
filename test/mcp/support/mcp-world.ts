/** The MCP function and the HTTP API over a real table, behind a real gateway on loopback. */
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { mcpEndpoint } from '../../../functions/mcp/endpoint.ts';
import { gateway } from '../../../local/gateway.ts';
import { listen } from '../../../local/http-server.ts';
import { createHttpWorld, type HttpWorld } from '../../http/support/http-world.ts';
import type { WorldOptions } from '../../support/world.ts';
import { sharedValidator } from './shared-validator.ts';

/** How a client speaks: as most do today, as it finds out, or the current revision and no other. */
export const ERAS = {
  legacy: { mode: 'legacy' },
  auto: { mode: 'auto' },
  modern: { mode: { pin: '2026-07-28' } },
} as const;

export type Era = keyof typeof ERAS;

export interface ConnectOptions {
  readonly era?: Era;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the platform's, to lose answers. */
  readonly fetch?: typeof fetch;
}

export interface ToolAnswer {
  readonly isError: boolean;
  /** What the tool answered, structured. */
  readonly value: Record<string, unknown>;
  /** Its text blocks. */
  readonly texts: readonly string[];
}

export interface ToolUser {
  readonly client: Client;
  readonly call: (tool: string, given?: Record<string, unknown>) => Promise<ToolAnswer>;
}

export interface McpWorld extends HttpWorld {
  /** `http://127.0.0.1:PORT/mcp` */
  readonly url: string;
  readonly origin: string;
  readonly admin: string;
  /** An official client, connected with a token. */
  readonly connect: (token: string, options?: ConnectOptions) => Promise<ToolUser>;
  readonly close: () => Promise<void>;
}

export async function createMcpWorld(options: WorldOptions = {}): Promise<McpWorld> {
  const http = await createHttpWorld(options);
  const fail = (what: string, error: unknown) => {
    throw new Error(what, { cause: error });
  };
  const server = await listen(0, fail);
  const handlers = { ...http.handlers, mcp: mcpEndpoint(http.instance) };
  const functions = (['api', 'claim', 'lease', 'mcp'] as const).map((name) => {
    const { routes, timeoutSeconds, memoryMb } = FUNCTIONS[name];
    return { name, routes, timeoutSeconds, memoryMb, handler: handlers[name] };
  });
  server.answerWith(gateway(functions, fail, async () => undefined));
  const url = `${server.url}/mcp`;
  const clients: Client[] = [];
  return {
    ...http,
    url,
    origin: server.url,
    admin: await http.token('root'),
    connect: async (token, connectOptions = {}) => {
      const client = await connected(url, token, connectOptions);
      clients.push(client);
      return { client, call: async (tool, given) => callWith(client, tool, given) };
    },
    close: async () => {
      await Promise.all(clients.map(async (client) => client.close()));
      await server.close();
    },
  };
}

/** An official client, connected with a token. */
export async function connected(
  url: string,
  token: string,
  { era = 'auto', headers = {}, fetch: ownFetch }: ConnectOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: ERAS[era], jsonSchemaValidator: sharedValidator },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
    ...(ownFetch === undefined ? {} : { fetch: ownFetch }),
  });
  await client.connect(transport);
  // From then on the client holds every answer against the tool's own output schema.
  await client.listTools();
  return client;
}

/** Calls a tool; throws for a protocol error. */
export async function callWith(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const result: CallToolResult = await client.callTool({ name, arguments: given });
  return {
    isError: result.isError === true,
    value: (result.structuredContent ?? {}) as Record<string, unknown>,
    texts: result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
  };
}
