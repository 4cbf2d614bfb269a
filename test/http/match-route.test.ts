import { describe, expect, test } from 'vitest';
import { routeMatcher } from '../../functions/http/match-route.ts';

const match = routeMatcher(
  [
    { method: 'GET', path: '/v1/things/{thing}' },
    { method: 'PATCH', path: '/v1/things/{thing}' },
    { method: 'POST', path: '/v1/things/{thing}:open' },
    { method: 'POST', path: '/v1/things:batch' },
    { method: 'GET', path: '/v1/things/{thing}/parts' },
  ],
  [{ method: 'DELETE', path: '/v1/things/{thing}' }],
);

describe('finding a route', () => {
  test.each([
    ['GET', '/v1/things/t1', '/v1/things/{thing}', { thing: 't1' }],
    ['POST', '/v1/things/t1:open', '/v1/things/{thing}:open', { thing: 't1' }],
    ['POST', '/v1/things/t1/open', '/v1/things/{thing}:open', { thing: 't1' }],
    ['POST', '/v1/things/t1%3Aopen', '/v1/things/{thing}:open', { thing: 't1' }],
    ['POST', '/v1/things:batch', '/v1/things:batch', {}],
    ['POST', '/v1/things/batch', '/v1/things:batch', {}],
    ['GET', '/v1/things/a%2Fb', '/v1/things/{thing}', { thing: 'a/b' }],
    ['GET', '/v1/things/t1/parts', '/v1/things/{thing}/parts', { thing: 't1' }],
  ])('%s %s is the route %s', (method, rawPath, path, params) => {
    expect(match(method, rawPath)).toEqual({ route: { method, path }, params });
  });

  test.each([
    ['PUT', '/v1/things/t1', ['DELETE', 'GET', 'PATCH']],
    ['DELETE', '/v1/things/t1', ['DELETE', 'GET', 'PATCH']],
    ['GET', '/v1/things/t1:open', ['POST']],
    ['get', '/v1/things/t1/parts', ['GET']],
  ])('%s %s is told the methods that the address takes', (method, rawPath, allow) => {
    expect(match(method, rawPath)).toEqual({ allow });
  });

  test.each([
    '',
    '/',
    '/v1',
    '/v1/things/',
    '/v1/things//parts',
    '/v1/things/t1/',
    '/v1/things/t1:close',
    '/v1/things/t1:open:open',
    '/v1/things/:open',
    '/v1/things/%',
    '/v1/things/%ff',
    '/v1/things/t1/parts:open',
    '/V1/things/t1',
    `/v1/things/${'x'.repeat(201)}`,
  ])('%s is no address at all', (rawPath) => {
    expect(match('POST', rawPath)).toEqual({ allow: [] });
    expect(match('GET', rawPath)).toEqual({ allow: [] });
  });
});
