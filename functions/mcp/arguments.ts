/** A tool's arguments, one flat object, as the request that its route takes: ids of the path, body or query, key. */
import * as z from 'zod';
import type { JsonObject } from '../../shared/json-schema/json.ts';
import { parseInput, refusedInput } from '../../shared/schemas/parse-input.ts';
import { idText } from '../../shared/schemas/text.ts';
import { BARE_KEY, repeatable } from '../http/read-headers.ts';
import { asked, canonicalPath, oneAgent } from '../http/read-route-request.ts';
import type { Preconditions, RouteRequest } from '../http/route.ts';
import type { Tool } from './tool.ts';

/** A page that fits into what a host shows its model: 20 summaries are some 8,000 tokens. */
export const PAGE_OF_A_TOOL = 20;

/** Fields of queries that name a thing by its id, and are called as everywhere else in a tool. */
const RENAMED: Readonly<Record<string, string>> = { column: 'column_id' };

const Key = z.string().regex(BARE_KEY, 'must be 1-255 printable characters');
const Rev = z.int().min(0);

/** Names in the route's path, each with the argument that fills it. */
export function pathArguments({ calls }: Tool): [param: string, argument: string][] {
  const params = [...calls.path.matchAll(/\{([a-z_]+)\}/g)].map(([, param = '']) => param);
  return params.map((param) => [param, param.endsWith('_id') ? param : `${param}_id`]);
}

/** Schema of body or query, as it is shown. */
export function fieldsOf({ calls }: Tool): z.ZodType {
  return calls.shownBody ?? calls.query;
}

/** What the argument for a field of body or query is called. */
export function argumentName(field: string): string {
  return RENAMED[field] ?? field;
}

/** The key's argument; null for a route that takes none. */
export function keyArgument({ calls, repeatKey }: Tool): string | null {
  return calls.repeatable ? (repeatKey ?? 'idempotency_key') : null;
}

export const REV_ARGUMENT = 'if_rev';

/** Arguments that HTTP has in the path and in headers. */
export function ownArguments(tool: Tool): z.ZodObject {
  const key = keyArgument(tool);
  return z.object({
    ...Object.fromEntries(pathArguments(tool).map(([, argument]) => [argument, idText])),
    ...(key === null ? {} : { [key]: Key.optional() }),
    ...(tool.calls.ifMatch ? { [REV_ARGUMENT]: Rev.optional() } : {}),
  });
}

/**
 * @param agent Name that the connection gives itself; null for none.
 * @param traceparent The trace that the call belongs to; null for none.
 * @throws Problem `validation_failed` for what cannot be meant, whatever the route's schemas say of the rest.
 */
export function routeRequest(
  tool: Tool,
  given: JsonObject,
  agent: string | null,
  traceparent: string | null,
): RouteRequest {
  const { calls } = tool;
  const schema = ownArguments(tool);
  const own = parseInput<Record<string, unknown>>(schema, given) ?? {};
  const fields = fieldsGiven(tool, given, schema);
  const params = Object.fromEntries(
    pathArguments(tool).map(([param, argument]) => [param, String(own[argument])]),
  );
  if (calls.method === 'PUT' && Object.keys(fields).length === 0) throw nothingToPut();
  const body = calls.body === null ? undefined : fields;
  const key = own[keyArgument(tool) ?? ''];
  const named = calls.namesAgent ? oneAgent(body, agent) : agent;
  return {
    params,
    query: calls.body === null ? fields : {},
    body,
    preconditions: preconditionsOf(own),
    // The route's own: a claim under this key over HTTP is the same claim.
    repeat:
      typeof key === 'string'
        ? repeatable(key, `${calls.method} ${canonicalPath(calls.path, params)}`, asked(calls, body, named))
        : null,
    agent: named,
    traceparent,
  };
}

/** Left out, everything would take its default: never what a call meant that names none of it. */
function nothingToPut() {
  const message = 'replaces the whole, and no field of it was given: send all fields as they are to be';
  return refusedInput([{ path: '', message }]);
}

function preconditionsOf(own: Readonly<Record<string, unknown>>): Preconditions {
  const rev = own[REV_ARGUMENT];
  return typeof rev === 'number' ? { if_match: rev } : {};
}

/** What is left for body or query, under the route's names. */
function fieldsGiven(tool: Tool, given: JsonObject, own: z.ZodObject): JsonObject {
  const fields: Record<string, unknown> = takesLimit(tool) ? { limit: PAGE_OF_A_TOOL } : {};
  const known = knownFields(tool);
  for (const [argument, value] of Object.entries(given)) {
    if (Object.hasOwn(own.shape, argument)) continue;
    if (known.has(argument) && argumentName(argument) !== argument) {
      const message = `unknown field '${argument}': it is called ${argumentName(argument)} here`;
      throw refusedInput([{ path: `/${argument}`, message }]);
    }
    const field = Object.keys(RENAMED).find((name) => RENAMED[name] === argument && known.has(name));
    fields[field ?? argument] = value;
  }
  return fields;
}

function knownFields(tool: Tool): ReadonlySet<string> {
  const fields = fieldsOf(tool);
  return new Set(fields instanceof z.ZodObject ? Object.keys(fields.shape) : []);
}

/** True for lists. */
export function takesLimit(tool: Tool): boolean {
  return tool.calls.body === null && knownFields(tool).has('limit');
}
