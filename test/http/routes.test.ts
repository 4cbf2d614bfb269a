import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../functions/http/all-routes.ts';
import { OPERATIONS } from '../../functions/http/operations.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const addresses = allRoutes.map((route) => `${route.method} ${route.path}`);
const paths = [...new Set(allRoutes.map((route) => route.path))];

/** A path of a template: ids that name nothing. */
const filled = (template: string): string => template.replaceAll(/\{[a-z_]+\}/g, 'x1');

let http: HttpWorld;

beforeAll(async () => {
  http = await createHttpWorld();
});

describe('the route table', () => {
  test('names each address once', () => {
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('is described in full, and nothing else is', () => {
    expect([...OPERATIONS.keys()].sort()).toEqual([...addresses].sort());
  });

  test.each(paths)(
    '%s refuses every method that it does not take, naming those that it does',
    async (path) => {
      const allowed = allRoutes.filter((route) => route.path === path).map((route) => route.method as string);
      for (const method of METHODS.filter((name) => !allowed.includes(name))) {
        const { status, headers, body } = await http.call({ method, path: filled(path) });
        expect([method, status, body['code']]).toEqual([method, 405, 'method_not_allowed']);
        expect(headers['allow']?.split(', ').sort()).toEqual(allowed.sort());
      }
    },
  );

  test.each(allRoutes.filter((route) => route.scope !== null))(
    '$method $path reaches a function that serves it, and needs a token',
    async ({ method, path }) => {
      const { status, body } = await http.call({ method, path: filled(path) }, null);
      expect([status, body['code']]).toEqual([401, 'unauthenticated']);
    },
  );

  test.each(allRoutes.filter((route) => /:[a-z-]+$/.test(route.path)))(
    '$method $path takes its verb after a slash as well',
    async ({ method, path }) => {
      const { status } = await http.call({ method, path: filled(path).replace(/:([a-z-]+)$/, '/$1') }, null);
      expect(status).toBe(401);
    },
  );

  test('answers whether it runs to anybody', async () => {
    const { status, body } = await http.call({ path: '/healthz' }, null);
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ok' });
  });
});
