/** One MCP server, made for one request and one caller: what it lists and calls is what the caller's token may. */
import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult } from '@modelcontextprotocol/server';
import { hasScope, type Caller } from '../../shared/engine.ts';
import { SCOPES } from '../../shared/model/states.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { inputSchemaOf, outputSchemaOf } from './schemas.ts';
import type { Tool } from './tool.ts';
import { TOOLS } from './tools.ts';

const IDENTITY = { name: 'leaseboard', title: 'Leaseboard', version: '1' };

/** The list depends on the token's scopes, which never change, and on what is deployed. */
const LIST_CACHE = { ttlMs: 300_000, cacheScope: 'private' } as const;

/** Calls a tool that there is, whether or not the caller may. */
export type CallTool = (tool: Tool, given: unknown, traceparent: unknown) => Promise<CallToolResult>;

/** Without `listChanged`: it would promise a stream, and a function answers once. */
export function mcpServer(caller: Caller, callTool: CallTool): Server {
  const server = new Server(IDENTITY, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    cacheHints: { 'tools/list': LIST_CACHE, 'server/discover': LIST_CACHE },
  });
  server.setRequestHandler('tools/list', async () => ({ tools: listFor(caller) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: given, _meta: meta } }) =>
    callTool(toolNamed(name), given, meta?.['traceparent']),
  );
  return server;
}

function toolNamed(name: string): Tool {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool !== undefined) return tool;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, NAME_SHOWN)}`);
}

const NAME_SHOWN = 100;

type ListedTool = ReturnType<typeof listed>;

/** Lists by the widest scope held: schemas take a while to make, and are the same for all who hold it. */
const lists = new Map<string, ListedTool[]>();

function listFor(caller: Caller): ListedTool[] {
  const widest = SCOPES.findLast((scope) => hasScope(caller, scope)) ?? 'none';
  const known = lists.get(widest);
  if (known !== undefined) return known;
  const list = TOOLS.filter((tool) => hasScope(caller, tool.calls.scope)).map(listed);
  lists.set(widest, list);
  return list;
}

function listed(tool: Tool) {
  const { name, description, hints } = tool;
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
    annotations: { title: titleOf(name), ...hints },
  };
}

/** `Claim next card` */
function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}
