import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../functions/manifest.ts';
import { routeMatcher } from '../../local/route-match.ts';

const manifest = routeMatcher(
  Object.entries(FUNCTIONS).flatMap(([name, { routes }]) => routes.map((key) => [key, name] as const)),
);

describe('the routes of the manifest', () => {
  test.each([
    [
      'POST',
      '/v1/boards/ops/columns/col_1:claim-next',
      'claim',
      { board: 'ops', column: 'col_1:claim-next' },
    ],
    [
      'POST',
      '/v1/boards/ops/columns/col_1%3Aclaim-next',
      'claim',
      { board: 'ops', column: 'col_1:claim-next' },
    ],
    ['POST', '/v1/boards/ops/columns/col_1/pause', 'claim', { board: 'ops', column: 'col_1', verb: 'pause' }],
    ['POST', '/v1/leases/lse_1:renew', 'lease', { lease: 'lse_1:renew' }],
    ['POST', '/v1/leases/lse_1/renew', 'lease', { lease: 'lse_1', verb: 'renew' }],
    ['POST', '/v1/leases:renew-batch', 'lease', null],
    ['GET', '/v1/leases/lse_1', 'api', null],
    ['POST', '/v1/boards/ops/columns', 'api', null],
    ['POST', '/v1/boards/ops/columns/', 'api', null],
    ['POST', '/v1/boards/ops/columns/col_1/claim/next', 'api', null],
    ['PUT', '/v1/boards/ops/columns/col_1/contract', 'api', null],
    ['GET', '/healthz', 'api', null],
    ['GET', '/', 'api', null],
  ])('%s %s goes to %s', (method, path, target, pathParameters) => {
    expect(manifest(method, path)).toMatchObject({ target, pathParameters });
  });
});

describe('a route key is chosen', () => {
  const keys = ['GET /a/{x}', 'ANY /a/{rest+}', 'ANY /a/b', 'GET /a/b', 'GET /{x}/b', 'GET /a/b/{y}/d'];
  // Their order must not matter, so the least specific ones are given first, too.
  const [forth, back] = [keys, keys.toReversed()].map((list) => routeMatcher(list.map((key) => [key, key])));

  test.each([
    ['a literal before a variable', 'GET', '/a/b', 'GET /a/b'],
    ['a named method before ANY', 'DELETE', '/a/b', 'ANY /a/b'],
    ['a literal further left before one further right', 'GET', '/a/c', 'GET /a/{x}'],
    ['a variable where no literal fits', 'GET', '/z/b', 'GET /{x}/b'],
    ['a greedy variable last', 'GET', '/a/b/c', 'ANY /a/{rest+}'],
    ['a literal after a variable', 'GET', '/a/b/c/d', 'GET /a/b/{y}/d'],
  ])('%s', (_why, method, path, routeKey) => {
    expect(forth?.(method, path)?.routeKey).toBe(routeKey);
    expect(back?.(method, path)?.routeKey).toBe(routeKey);
  });

  test('only by whole segments, and not at all without $default', () => {
    expect(forth?.('GET', '/ab')).toBeNull();
    expect(forth?.('GET', '/a')).toBeNull();
    expect(forth?.('GET', '/a/')).toBeNull();
  });

  test('a greedy variable keeps its slashes', () => {
    expect(forth?.('PUT', '/a/b%20c/d')?.pathParameters).toEqual({ rest: 'b c/d' });
  });

  test('a percent sign that starts no escape stays', () => {
    expect(forth?.('GET', '/a/100%')?.pathParameters).toEqual({ x: '100%' });
  });

  test('a key that is no route key is refused', () => {
    expect(() => routeMatcher([['get /a', 1]])).toThrow('get /a');
  });
});
