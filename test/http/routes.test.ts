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

/** The surface that clients build on, in full: a row that comes or goes is a decision, never an accident. */
const SURFACE = [
  'DELETE /v1/boards/{board}',
  'DELETE /v1/boards/{board}/columns/{column}',
  'DELETE /v1/boards/{board}/webhooks/{webhook}',
  'DELETE /v1/cards/{card}',
  'DELETE /v1/cards/{card}/attachments/{attachment}',
  'DELETE /v1/cards/{card}/links',
  'DELETE /v1/tokens/{token_id}',
  'GET /healthz',
  'GET /v1/boards',
  'GET /v1/boards/{board}',
  'GET /v1/boards/{board}/cards',
  'GET /v1/boards/{board}/columns/{column}/contract',
  'GET /v1/boards/{board}/diagnostics',
  'GET /v1/boards/{board}/events',
  'GET /v1/boards/{board}/export',
  'GET /v1/boards/{board}/frontier',
  'GET /v1/boards/{board}/leases',
  'GET /v1/boards/{board}/stats',
  'GET /v1/boards/{board}/webhooks',
  'GET /v1/boards/{board}/webhooks/{webhook}',
  'GET /v1/boards/{board}/webhooks/{webhook}/deliveries',
  'GET /v1/cards/{card}',
  'GET /v1/cards/{card}/attachments',
  'GET /v1/cards/{card}/comments',
  'GET /v1/cards/{card}/context',
  'GET /v1/cards/{card}/events',
  'GET /v1/cards/{card}/links',
  'GET /v1/cards/{card}/runs',
  'GET /v1/leases/{lease}',
  'GET /v1/me',
  'GET /v1/openapi.json',
  'GET /v1/runs/{run}',
  'GET /v1/tokens',
  'PATCH /v1/boards/{board}',
  'PATCH /v1/boards/{board}/columns/{column}',
  'PATCH /v1/boards/{board}/webhooks/{webhook}',
  'PATCH /v1/cards/{card}',
  'POST /v1/boards',
  'POST /v1/boards/{board}/cards',
  'POST /v1/boards/{board}/cards:batch',
  'POST /v1/boards/{board}/cards:bulk',
  'POST /v1/boards/{board}/columns',
  'POST /v1/boards/{board}/columns/{column}:claim-batch',
  'POST /v1/boards/{board}/columns/{column}:claim-next',
  'POST /v1/boards/{board}/columns/{column}:pause',
  'POST /v1/boards/{board}/columns/{column}:redrive',
  'POST /v1/boards/{board}/columns/{column}:resume',
  'POST /v1/boards/{board}/graphs',
  'POST /v1/boards/{board}/graphs:swarm',
  'POST /v1/boards/{board}/import',
  'POST /v1/boards/{board}/webhooks',
  'POST /v1/boards/{board}/webhooks/{webhook}:enable',
  'POST /v1/boards/{board}/webhooks/{webhook}:recover',
  'POST /v1/boards/{board}/webhooks/{webhook}:rotate-secret',
  'POST /v1/boards/{board}/webhooks/{webhook}:test',
  'POST /v1/boards/{board}:restore',
  'POST /v1/cards/{card}/attachments',
  'POST /v1/cards/{card}/comments',
  'POST /v1/cards/{card}/links',
  'POST /v1/cards/{card}:archive',
  'POST /v1/cards/{card}:assign',
  'POST /v1/cards/{card}:block',
  'POST /v1/cards/{card}:claim',
  'POST /v1/cards/{card}:complete',
  'POST /v1/cards/{card}:decompose',
  'POST /v1/cards/{card}:hold',
  'POST /v1/cards/{card}:move',
  'POST /v1/cards/{card}:promote',
  'POST /v1/cards/{card}:reclaim',
  'POST /v1/cards/{card}:redrive',
  'POST /v1/cards/{card}:reopen',
  'POST /v1/cards/{card}:reopen-review',
  'POST /v1/cards/{card}:request-cancel',
  'POST /v1/cards/{card}:unarchive',
  'POST /v1/cards/{card}:unblock',
  'POST /v1/cards/{card}:unhold',
  'POST /v1/deliveries/{delivery}:redeliver',
  'POST /v1/leases/{lease}:block',
  'POST /v1/leases/{lease}:complete',
  'POST /v1/leases/{lease}:fail',
  'POST /v1/leases/{lease}:heartbeat',
  'POST /v1/leases/{lease}:release',
  'POST /v1/leases/{lease}:renew',
  'POST /v1/leases/{lease}:request-changes',
  'POST /v1/leases/{lease}:request-review',
  'POST /v1/leases:renew-batch',
  'POST /v1/roles',
  'POST /v1/tokens',
  'POST /v1/tokens/{token_id}:rotate',
  'PUT /v1/boards/{board}/columns/{column}/contract',
];

describe('the route table', () => {
  test('is the surface that clients build on', () => {
    expect([...addresses].sort()).toEqual(SURFACE);
  });

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
