/**
 * The OpenAPI 3.1 document, made of the schemas that requests are parsed by and the routes that serve them. Only
 * the function `api` carries it.
 */
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import * as z from 'zod';
import { ProblemAnswer } from '../../shared/schemas/responses/problem.ts';
import { NDJSON } from './ndjson.ts';
import { operationOf, TAGS } from './operations.ts';
import { isOpen, takesLeaseToken, type OpenRoute, type Route } from './route.ts';

type AnyRoute = Route | OpenRoute;

export function openApiDocument(routes: readonly AnyRoute[]) {
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Leaseboard',
        version: '1',
        description:
          'A task queue for a fleet of AI agents that is a kanban column. Cards are claimed under leases, worked on, and completed or given back.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: [{ bearer: [] }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A token, `lb_<id>_<secret>`' },
        },
      },
      paths: pathsOf(routes),
    },
    { override: ({ jsonSchema, io }) => relax(jsonSchema, io) },
  );
}

/**
 * Answers may gain fields, so none is closed; a request's stay closed, since an unknown field is refused. What zod
 * says of a time by a long pattern, `date-time` says too.
 */
function relax(schema: { additionalProperties?: unknown; format?: unknown; pattern?: unknown }, io: string) {
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format === 'date-time') delete schema.pattern;
}

function pathsOf(routes: readonly AnyRoute[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operationObject(route) });
  }
  return paths;
}

function operationObject(route: AnyRoute): ZodOpenApiOperationObject {
  const { id, tag, summary } = operationOf(route);
  const common = { operationId: id, tags: [tag], summary, responses: responsesOf(route) };
  if (isOpen(route)) return { ...common, security: [] };
  return {
    ...common,
    description: `Needs a token with the scope \`${route.scope}\`.`,
    requestParams: paramsOf(route),
    ...bodyOf(route),
  };
}

/** A line of NDJSON is an object; tools cannot say more of it in this version of the document. */
const Lines = z
  .string()
  .meta({ description: 'An object a line: rows of the body, or items and a last line with `next_cursor`' });
const asLines = { [NDJSON]: { schema: Lines } };

function bodyOf({ shownBody: body, lines }: Route): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (body === null) return {};
  // A body that may be empty may be left out.
  const required = !body.safeParse({}).success;
  const content = { 'application/json': { schema: body }, ...(lines ? asLines : {}) };
  return { requestBody: { required, content } };
}

const headers = {
  agent: z
    .string()
    .optional()
    .meta({ description: 'Name of the agent that calls, unless the token is bound to one' }),
  key: z.string().optional().meta({ description: 'The same key and body within 24 hours: the same answer' }),
  ifMatch: z.string().optional().meta({ description: 'ETag that the card must still have' }),
  traceparent: z.string().optional().meta({
    description: 'W3C trace context: the cards that are made keep it. What is malformed is ignored',
  }),
  leaseToken: z.string().optional().meta({ description: 'Instead of `lease_token` in the body' }),
};

function paramsOf(route: Route): NonNullable<ZodOpenApiOperationObject['requestParams']> {
  const names = [...route.path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name);
  return {
    ...(names.length > 0
      ? { path: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) }
      : {}),
    ...(route.query instanceof z.ZodObject ? { query: route.query } : {}),
    header: z.object({
      'X-Agent': headers.agent,
      ...(route.repeatable ? { 'Idempotency-Key': headers.key } : {}),
      ...(route.ifMatch ? { 'If-Match': headers.ifMatch } : {}),
      ...(route.traced ? { traceparent: headers.traceparent } : {}),
      ...(takesLeaseToken(route) ? { 'X-Lease-Token': headers.leaseToken } : {}),
    }),
  };
}

const refusal = {
  description: 'Refused; `code` says why',
  content: { 'application/problem+json': { schema: ProblemAnswer } },
};

function responsesOf(route: AnyRoute): ZodOpenApiOperationObject['responses'] {
  const { answer } = operationOf(route);
  const status = isOpen(route) ? 200 : route.status;
  const lines = !isOpen(route) && route.lines && route.method === 'GET' ? asLines : {};
  const content = answer === null ? {} : { content: { 'application/json': { schema: answer }, ...lines } };
  return {
    [`${status}`]: { description: answer === null ? 'Done' : 'As asked', ...content },
    ...(status === 201 ? { '200': { description: 'Already there', ...content } } : {}),
    '4XX': refusal,
    '5XX': { ...refusal, description: 'The table was busy (503), or something unexpected happened (500)' },
  };
}
