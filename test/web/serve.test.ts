/** The board beside the API: what is served, how strictly, and how small it is. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type LocalServer } from '../../local/http-server.ts';
import { withBoard } from '../../local/web.ts';
import { buildWeb, type WebFiles } from '../../web/build.ts';
import type { SignIn } from '../../web/sign-in.ts';

/** Of everything that the first view loads: on a train it is there in two seconds. */
const MOST_BYTES = 90 * 1024;

const PROVIDER: SignIn = {
  provider: 'Example',
  issuer: 'https://id.example.com/tenant-1',
  client_id: 'board',
  scopes: ['openid', 'groups'],
  token_origin: null,
};

let files: WebFiles;
let server: LocalServer;
let builds = 0;

beforeAll(async () => {
  files = await buildWeb();
  server = await listen(0, () => {});
  server.answerWith(
    withBoard(
      async (_request, response) => {
        response.writeHead(404, { 'content-type': 'application/problem+json' });
        response.end('{"code":"not_found"}');
      },
      {
        build: async () => {
          builds += 1;
          return Promise.resolve(files);
        },
        signIn: PROVIDER,
      },
    ),
  );
});

afterAll(async () => server.close());

test('everything that the first view loads is at most 90 kB compressed', () => {
  const sizes = [...files.values()].map(({ body }) => gzipSync(body, { level: 9 }).byteLength);
  expect(sizes.length).toBeGreaterThanOrEqual(4);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_BYTES);
});

test('each address of the board is the same page, built once, under a policy that runs nothing inline', async () => {
  for (const path of ['/', '/boards', '/boards/demo', '/boards/demo/cards/crd_1', '/tokens']) {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe/);
    const page = await response.text();
    expect(page).not.toMatch(/<script(?![^>]*src=)/);
    expect(page).not.toMatch(/\son\w+=|style=/);
  }
  expect(builds).toBe(1);
});

test('a page calls its own origin, the bucket of files and who signs people in, and nobody else', async () => {
  const response = await fetch(server.url);
  const policy = response.headers.get('content-security-policy') ?? '';
  await response.body?.cancel();
  const [, called] = /connect-src ([^;]+)/.exec(policy) ?? [];
  expect(called?.split(' ')).toEqual(["'self'", 'http://127.0.0.1:*', 'https://id.example.com']);
});

test('who signs people in is told to anybody, and is asked for anew each time', async () => {
  const response = await fetch(`${server.url}/config.json`);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.json()).toEqual({ sign_in: PROVIDER });
  const head = await fetch(`${server.url}/config.json`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('script and style are named by their content and kept for good', async () => {
  const page = await (await fetch(server.url)).text();
  const assets = [...page.matchAll(/\/assets\/main-[A-Z0-9]{8}\.(?:js|css)/g)].map(([path]) => path);
  expect(assets).toHaveLength(2);
  for (const path of assets) {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toContain('immutable');
    await response.body?.cancel();
  }
});

test('what is no page of the board is the API’s to answer', async () => {
  const requests: [string, string][] = [
    ['GET', '/v1/boards'],
    ['GET', '/healthz'],
    ['POST', '/'],
    ['GET', '/assets/main-OLDHASH1.js'],
    ['GET', '/boardsx'],
  ];
  for (const [method, path] of requests) {
    const response = await fetch(server.url + path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ code: 'not_found' });
  }
});
