/** The client has every operation of the API and no other, each at the address that the route table gives it. */
import { describe, expect, test } from 'vitest';
import { LeaseboardClient, PLATFORM } from '../../client/index.ts';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { routeMatcher } from '../../functions/http/match-route.ts';
import { operationOf, OPERATIONS } from '../../functions/http/operations.ts';

/** Operations that no method calls, and why. */
const WITHOUT_METHOD: Readonly<Record<string, string>> = {
  heartbeatLease: 'Another name of renewLease.',
};

interface Sent {
  readonly method: string;
  readonly url: URL;
}

const sent: Sent[] = [];
const client = new LeaseboardClient({
  url: 'http://api.test',
  token: 'lb_test_secret',
  platform: {
    ...PLATFORM,
    fetch: async (input, init) => {
      sent.push({ method: init?.method ?? 'GET', url: new URL(new Request(input).url) });
      return new Response(null, { status: 204 });
    },
  },
});

type Method = (...names: string[]) => Promise<unknown>;

/** Every method, as `cards.create`. */
const methods: [string, Method][] = Object.entries(client).flatMap(([noun, group]) =>
  Object.entries(isGroup(group) ? group : {}).map(([name, method]): [string, Method] => [
    `${noun}.${name}`,
    method as Method,
  ]),
);

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && value !== client.platform;
}

const match = routeMatcher(allRoutes);

/** The operation that a method calls, and the names that it puts into the path. */
async function called(method: Method): Promise<{ id: string; params: string[] }> {
  sent.length = 0;
  await method('x1', 'x2', 'x3');
  const [request] = sent;
  if (request === undefined || sent.length > 1) expect.fail(`One call was to be sent, not ${sent.length}`);
  const found = match(request.method, request.url.pathname);
  if (!('route' in found)) expect.fail(`${request.method} ${request.url.pathname} is no route`);
  return { id: operationOf(found.route).id, params: Object.values(found.params) };
}

describe('the client', () => {
  test.each(methods)('%s calls one route, with its arguments in order', async (_name, method) => {
    const { params } = await called(method);
    expect(params).toEqual(['x1', 'x2', 'x3'].slice(0, params.length));
  });

  test('has a method for every operation', async () => {
    const ids = new Set(Object.keys(WITHOUT_METHOD));
    for (const [, method] of methods) ids.add((await called(method)).id);
    expect([...ids].sort()).toEqual([...OPERATIONS.values()].map(({ id }) => id).sort());
  });
});
