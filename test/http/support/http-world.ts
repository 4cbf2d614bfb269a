/** The HTTP layer over a real table: each request goes to the function that the manifest's routes send it to. */
import { FUNCTIONS } from '../../../functions/manifest.ts';
import { apiRoutes, besideApiRoutes } from '../../../functions/http/all-routes.ts';
import { besideClaimRoutes, claimRoutes } from '../../../functions/claim/routes.ts';
import { besideLeaseRoutes, leaseRoutes } from '../../../functions/lease/routes.ts';
import { endpoint, type EndpointOptions } from '../../../functions/http/endpoint.ts';
import type { Instance } from '../../../functions/http/request-handler.ts';
import { jsonLog } from '../../../functions/http/log.ts';
import { routeMatcher } from '../../../local/route-match.ts';
import { hashSecret } from '../../../shared/auth/bearer-token.ts';
import type { People } from '../../../shared/auth/people.ts';
import { Cache } from '../../../shared/cache.ts';
import { TOKEN_CACHE_MS } from '../../../shared/policy.ts';
import { LAYOUT_VERSION, type TokenItem } from '../../../shared/store/items.ts';
import { tokenKey } from '../../../shared/store/keys.ts';
import { createWorld, type World, type WorldOptions } from '../../support/world.ts';
import { expectConforming } from './conformance.ts';
import { gatewayEvent, type TestRequest } from './gateway-event.ts';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where there is any. */
  readonly body: Record<string, unknown>;
}

export interface HttpWorld {
  readonly world: World;
  readonly instance: Instance;
  /** Handlers by function, as the manifest's routes name them. */
  readonly handlers: Readonly<Record<keyof typeof PRODUCT, ReturnType<typeof endpoint>>>;
  /** Lines of the log so far. */
  readonly lines: readonly string[];
  /** Sends a request with a token; null for none, default the admin's. The answer is held against the document. */
  readonly call: (request: TestRequest, token?: string | null) => Promise<TestAnswer>;
  /** Puts a token into the table and answers it. */
  readonly token: (id: string, more?: Partial<TokenItem>) => Promise<string>;
}

type Served = Pick<EndpointOptions, 'routes' | 'elsewhere'>;

const PRODUCT: Readonly<Record<'claim' | 'lease' | 'api', Served>> = {
  claim: { routes: claimRoutes, elsewhere: besideClaimRoutes },
  lease: { routes: leaseRoutes, elsewhere: besideLeaseRoutes },
  api: { routes: apiRoutes, elsewhere: besideApiRoutes },
};

/** @param routes Instead of the product's: all of them served by one function. */
export async function createHttpWorld(
  options: WorldOptions & { readonly people?: People; readonly traceRate?: number } = {},
  routes?: EndpointOptions['routes'],
): Promise<HttpWorld> {
  const world = await createWorld(options);
  const lines: string[] = [];
  const tokens = new Cache<TokenItem>(TOKEN_CACHE_MS, world.clock.now);
  const log = jsonLog(world.clock.now, (line) => lines.push(line));
  const instance = {
    engine: world.main,
    tokens,
    people: options.people ?? null,
    ready: async () => undefined,
    traceRate: options.traceRate ?? 0,
    log,
  };
  const handlerOf = (served: Served) => endpoint({ ...served, instance });
  const handlers = {
    claim: handlerOf(PRODUCT.claim),
    lease: handlerOf(PRODUCT.lease),
    api: handlerOf(PRODUCT.api),
  };
  const all = routes === undefined ? null : handlerOf({ routes });
  const token = async (id: string, more: Partial<TokenItem> = {}): Promise<string> => {
    const secret = `${id}-secret-`.padEnd(40, 'x');
    const item: TokenItem = {
      ...tokenKey(id),
      v: LAYOUT_VERSION,
      name: id,
      hash: hashSecret(secret),
      scopes: ['admin'],
      created_at: world.clock.now(),
      ...more,
    };
    await world.main.store.write({ kind: 'put', item: { ...item } });
    return `lb_${id}_${secret}`;
  };
  const admin = await token('admin');
  return {
    world,
    instance,
    handlers,
    lines,
    token,
    call: async (request, bearer = admin) => {
      const authorization = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
      const event = gatewayEvent({ ...request, headers: { ...authorization, ...request.headers } });
      const handler = all ?? handlers[functionFor(event.requestContext.http.method, event.rawPath)];
      const { statusCode, headers, body: sent, isBase64Encoded } = await handler(event);
      const body = isBase64Encoded && sent !== undefined ? Buffer.from(sent, 'base64').toString() : sent;
      const answer = { status: statusCode, headers, body: body === undefined ? {} : JSON.parse(body) };
      if (routes === undefined) expectConforming(event.requestContext.http.method, event.rawPath, answer);
      return answer;
    },
  };
}

const gatewayRoutes = routeMatcher(
  (['claim', 'lease', 'api'] as const).flatMap((name) =>
    FUNCTIONS[name].routes.map((routeKey) => [routeKey, name] as const),
  ),
);

/** The function that API Gateway would send the request to. */
function functionFor(method: string, rawPath: string): 'claim' | 'lease' | 'api' {
  const found = gatewayRoutes(method, rawPath);
  if (found === null) throw new Error(`No route key of the manifest takes ${method} ${rawPath}`);
  return found.target;
}
