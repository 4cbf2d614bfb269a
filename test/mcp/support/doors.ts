/** One story, told through either door: the same steps as tools and as HTTP requests. */
import type { McpWorld } from './mcp-world.ts';

type Fields = Record<string, unknown>;

/** What a step needs to be said either way. */
export interface Step {
  readonly tool: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{board_id}` and the like name arguments, which the path takes. */
  readonly path: string;
  readonly given: Fields;
  /** Makes it repeatable: the key's argument, or the header. */
  readonly key?: { readonly argument: string; readonly value: string };
}

/** Takes a step and answers what was answered. */
export type Door = (step: Step) => Promise<Fields>;

export async function toolDoor(mcp: McpWorld, token: string, agent?: string): Promise<Door> {
  const headers: Record<string, string> = agent === undefined ? {} : { 'x-agent': agent };
  const { call } = await mcp.connect(token, { headers });
  return async ({ tool, given, key }) => {
    const answer = await call(tool, key === undefined ? given : { ...given, [key.argument]: key.value });
    if (answer.isError) throw new Error(answer.texts[0]);
    return answer.value;
  };
}

export async function httpDoor(mcp: McpWorld, token: string, agent?: string): Promise<Door> {
  const named: Record<string, string> = agent === undefined ? {} : { 'x-agent': agent };
  return async ({ method, path, given, key }) => {
    const body = { ...given };
    const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
      const value = String(body[name]);
      delete body[name];
      return value;
    });
    const headers = { ...named, ...(key === undefined ? {} : { 'idempotency-key': key.value }) };
    const request = method === 'DELETE' ? { path: withQuery(filled, body) } : { path: filled, body };
    const answer = await mcp.call({ ...request, method, headers }, token);
    if (answer.status >= 400) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
}

function withQuery(path: string, fields: Fields): string {
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
