/**
 * What a route is: an address, who may use it, the schemas of what it takes, and the verb behind it. Each
 * function lists its own routes; `all-routes.ts` joins them.
 */
import * as z from 'zod';
import { hasScope, type Caller, type Engine } from '../../shared/engine.ts';
import { problem } from '../../shared/errors.ts';
import type { Repeatable, Replayable } from '../../shared/idempotency.ts';
import type { Scope } from '../../shared/model/states.ts';
import { parseInput } from '../../shared/schemas/parse-input.ts';
import type { Traced } from '../../shared/trace-context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where a route is found. In `path`, `{name}` is one segment and a `:verb` at its end may be written `/verb`. */
export interface Address {
  readonly method: Method;
  readonly path: string;
}

type ParamName<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

/** The parameters that a path template names. */
export type PathParams<P extends string> = { readonly [Name in ParamName<P>]: string };

/** What a request may state in headers beside its body. */
export interface Preconditions {
  /** `rev` that the card must still have, from `If-Match`. */
  readonly if_match?: number;
}

/** A request as far as HTTP is concerned: taken apart, nothing checked against a schema yet. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  /** Text from a query string, or JSON from a tool. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly preconditions: Preconditions;
  readonly repeat: Repeatable | null;
  /** Name that the session gives itself; null for none. */
  readonly agent: string | null;
  /** The trace that what it makes belongs to; null for none. */
  readonly traceparent: string | null;
}

/** What a verb answered, before it is written out. */
export interface RouteAnswer {
  readonly status: number;
  readonly value: unknown;
  readonly replayed: boolean;
}

type Success = 200 | 201 | 204;

export interface Route extends Address {
  /** Least scope that may use it. */
  readonly scope: Scope;
  readonly body: z.ZodType | null;
  /** The body as the document shows it, where its own parser is the verb's. */
  readonly shownBody: z.ZodType | null;
  readonly query: z.ZodType;
  readonly status: Success;
  /** Takes an `Idempotency-Key`. */
  readonly repeatable: boolean;
  /** `agent` in the body names the session, as the header `X-Agent` does. */
  readonly namesAgent: boolean;
  /** Takes the header `If-Match`. */
  readonly ifMatch: boolean;
  /** Takes its rows, and answers its items, as NDJSON too. */
  readonly lines: boolean;
  /** What it makes belongs to the request's trace. */
  readonly traced: boolean;
  readonly run: (engine: Engine, caller: Caller, request: RouteRequest) => Promise<RouteAnswer>;
  /** Begins to read what the verb reads first, while a cold instance looks the token up. */
  readonly prefetch?: Prefetch;
}

/** `params` are those that the route's path names. */
type Prefetch<P extends string = never> = (
  engine: Engine,
  params: PathParams<P>,
  agent: string | null,
) => void;

/** A route that needs no token, and therefore no engine either. */
export interface OpenRoute extends Address {
  readonly scope: null;
  readonly answer: () => unknown;
}

export function isOpen(route: Route | OpenRoute): route is OpenRoute {
  return route.scope === null;
}

interface Definition<P extends string, Body, Query> {
  readonly method: Method;
  readonly path: P;
  readonly scope: Scope;
  readonly body?: z.ZodType<Body>;
  readonly shownBody?: z.ZodType;
  readonly query?: z.ZodType<Query>;
  readonly status?: Success;
  readonly namesAgent?: true;
  readonly prefetch?: Prefetch<P>;
  readonly ifMatch?: true;
  readonly traced?: true;
  readonly lines?: true;
}

type Input<P extends string, Body, Query> = PathParams<P> & Body & Query & Preconditions & Traced;

/** For a body or a query that has nothing to say: whatever it says is a mistake, and is named. */
export const NoFields = z.strictObject({});

/** A route whose verb does the same whether it is called once or twice, or may not be repeated at all. */
export function route<const P extends string, Body = unknown, Query = unknown>(
  definition: Definition<P, Body, Query> & {
    readonly verb: (engine: Engine, caller: Caller, input: Input<P, Body, Query>) => Promise<unknown>;
  },
): Route {
  const { status = 200 } = definition;
  return {
    ...described(definition),
    status,
    repeatable: false,
    run: async (engine, caller, request) => {
      const value = await definition.verb(engine, caller, inputOf(definition, request));
      return { status, value, replayed: false };
    },
  };
}

/** A route that creates or claims: with an `Idempotency-Key` a repeat is answered instead of done again. */
export function repeatableRoute<const P extends string, Body = unknown, Query = unknown>(
  definition: Definition<P, Body, Query> & {
    readonly verb: (
      engine: Engine,
      caller: Caller,
      input: Input<P, Body, Query>,
      repeat: Repeatable | null,
    ) => Promise<Replayable<unknown>>;
  },
): Route {
  const { status = 200 } = definition;
  return {
    ...described(definition),
    status,
    repeatable: true,
    run: async (engine, caller, request) => {
      const input = inputOf(definition, request);
      const { value, created, replayed } = await definition.verb(engine, caller, input, request.repeat);
      return { status: status === 201 && !created ? 200 : status, value, replayed };
    },
  };
}

function described<P extends string>(definition: Definition<P, unknown, unknown>) {
  const {
    prefetch,
    method,
    path,
    scope,
    body = null,
    query = NoFields,
    namesAgent = false,
    ifMatch = false,
    traced = false,
    lines = false,
  } = definition;
  const shownBody = definition.shownBody ?? body;
  const common = { method, path, scope, body, shownBody, query, namesAgent, ifMatch, traced, lines };
  return prefetch === undefined ? common : { ...common, prefetch };
}

/** One flat input: what the path names wins over what body or query say under the same name. */
function inputOf<P extends string, Body, Query>(
  definition: Definition<P, Body, Query>,
  request: RouteRequest,
): Input<P, Body, Query> {
  const { query = NoFields, body } = definition;
  const said = [parseInput<unknown>(query, request.query), parseInput(body, request.body)];
  const traced = definition.traced === true && request.traceparent !== null;
  const trace: Traced = traced ? { traceparent: request.traceparent } : {};
  return Object.assign({}, ...said, request.preconditions, trace, request.params) as Input<P, Body, Query>;
}

/** A body that the verb parses itself, for refusals of its own; it gets it as `unchecked`. */
export const Unchecked = z.unknown().transform((unchecked) => ({ unchecked }));

/** True for a route whose body has a `lease_token`, which then may come as the header `X-Lease-Token`. */
export function takesLeaseToken(route: Route): boolean {
  return route.body instanceof z.ZodObject && 'lease_token' in route.body.shape;
}

/** @throws Problem `forbidden` naming the scope that the route needs and the caller has not. */
export function mustHold(caller: Caller, { scope }: Route): void {
  if (hasScope(caller, scope)) return;
  throw problem(
    'forbidden',
    `This needs a token with the scope '${scope}'; yours has ${caller.scopes.join(', ')}.`,
  );
}
