import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gateway } from '../../local/gateway.ts';
import { listen, type LocalServer } from '../../local/http-server.ts';

interface Call {
  readonly event: APIGatewayProxyEventV2;
  readonly context: Context;
}

let server: LocalServer;
let calls: Call[];
let logged: { what: string; error: unknown }[];
/** What the function does at the next call. */
let behaviour: () => unknown;
let committed: () => Promise<void>;

beforeEach(async () => {
  calls = [];
  logged = [];
  behaviour = () => ({ statusCode: 204 });
  committed = async () => undefined;
  const logError = (what: string, error: unknown) => logged.push({ what, error });
  server = await listen(0, logError);
  const handler = (event: unknown, context: Context) => {
    calls.push({ event: event as APIGatewayProxyEventV2, context });
    return behaviour();
  };
  const limits = { timeoutSeconds: 29, memoryMb: 512 };
  server.answerWith(
    gateway(
      [
        { name: 'api', handler, ...limits, routes: ['$default', 'GET /things/{thing}'] },
        { name: 'quick', handler, ...limits, timeoutSeconds: 0.05, routes: ['GET /quick'] },
      ],
      logError,
      async () => committed(),
    ),
  );
});

afterEach(async () => server.close());

async function eventOf(path: string, init: RequestInit = {}): Promise<APIGatewayProxyEventV2> {
  await fetch(server.url + path, init);
  const call = calls.at(-1);
  if (call === undefined) throw new Error('The function was not called.');
  return call.event;
}

describe('the event', () => {
  test('has the method, the raw path, the source and the route', async () => {
    const event = await eventOf('/things/a%2Fb%20c?x=1', { method: 'GET' });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /things/{thing}',
      rawPath: '/things/a%2Fb%20c',
      pathParameters: { thing: 'a/b c' },
      requestContext: {
        routeKey: 'GET /things/{thing}',
        stage: '$default',
        http: { method: 'GET', path: '/things/a%2Fb%20c', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
      },
      isBase64Encoded: false,
    });
    expect(event.requestContext.time).toMatch(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
    expect(event).not.toHaveProperty('body');
  });

  test('has no parameters where there are none', async () => {
    const event = await eventOf('/other');
    expect(event).not.toHaveProperty('pathParameters');
    expect(event).not.toHaveProperty('queryStringParameters');
    expect(event).toMatchObject({ routeKey: '$default', rawQueryString: '' });
  });

  test('joins repeated query parameters with a comma and keeps the raw string', async () => {
    const event = await eventOf('/other?label=a&label=b%2Cc&q=x+y&empty=');
    expect(event.rawQueryString).toBe('label=a&label=b%2Cc&q=x+y&empty=');
    expect(event.queryStringParameters).toEqual({ label: 'a,b,c', q: 'x y', empty: '' });
  });

  test('has header names in lower case, repeated ones joined, and cookies apart', async () => {
    await sendRaw(
      'GET /other HTTP/1.1\r\nHost: h\r\nX-Agent: one\r\nx-agent: two\r\nCookie: a=1; b=2\r\nConnection: close\r\n\r\n',
    );
    const event = calls.at(-1)?.event;
    expect(event?.headers).toMatchObject({ host: 'h', 'x-agent': 'one,two' });
    expect(event?.headers).not.toHaveProperty('cookie');
    expect(event?.cookies).toEqual(['a=1', 'b=2']);
  });

  test.each(['application/json', 'application/problem+json; charset=utf-8', 'text/plain'])(
    'has a body of %s as text',
    async (type) => {
      const event = await eventOf('/other', {
        method: 'POST',
        body: '{"ü": 1}',
        headers: { 'content-type': type },
      });
      expect(event).toMatchObject({ body: '{"ü": 1}', isBase64Encoded: false });
    },
  );

  test.each(['application/x-www-form-urlencoded', 'application/octet-stream'])(
    'has a body of %s in base64',
    async (type) => {
      const body = new Uint8Array([0, 255, 128]);
      const event = await eventOf('/other', { method: 'POST', body, headers: { 'content-type': type } });
      expect(event).toMatchObject({ body: 'AP+A', isBase64Encoded: true });
    },
  );

  test('names the request as the context does', async () => {
    const event = await eventOf('/other');
    const context = calls[0]?.context;
    expect(event.requestContext.requestId).toBe(context?.awsRequestId);
    expect(context?.functionName).toBe('api');
    expect(context?.getRemainingTimeInMillis()).toBeGreaterThan(20_000);
    expect(context?.getRemainingTimeInMillis()).toBeLessThanOrEqual(29_000);
  });
});

describe('the answer', () => {
  test('has status, headers, cookies and body of the result', async () => {
    behaviour = () => ({
      statusCode: 201,
      headers: { 'Content-Type': 'application/problem+json', ETag: '"3"', 'Retry-After': 5 },
      cookies: ['a=1; HttpOnly', 'b=2'],
      body: '{"id": "ü"}',
    });
    const response = await fetch(`${server.url}/other`);
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('etag')).toBe('"3"');
    expect(response.headers.get('retry-after')).toBe('5');
    expect(response.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2']);
    expect(await response.text()).toBe('{"id": "ü"}');
  });

  test('is decoded from base64', async () => {
    behaviour = () => ({ statusCode: 200, body: 'AP+A', isBase64Encoded: true });
    const response = await fetch(`${server.url}/other`);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255, 128]));
  });

  test('is JSON with 200 for a result that has no status', async () => {
    behaviour = async () => ({ hello: 'world' });
    const response = await fetch(`${server.url}/other`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ hello: 'world' });
  });
});

test('no answer leaves before what it reports is committed', async () => {
  const asked = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  committed = async () => {
    asked.resolve();
    return commit.promise;
  };
  let isAnswered = false;
  const answer = fetch(`${server.url}/other`).finally(() => (isAnswered = true));
  await asked.promise;
  // Another request goes the whole way meanwhile: the first had time enough to be answered.
  committed = async () => undefined;
  await fetch(`${server.url}/other`);
  expect(isAnswered).toBe(false);
  commit.resolve();
  expect((await answer).status).toBe(204);
});

describe('the gateway itself answers', () => {
  test('413 to a body over 10 MB, without calling the function', async () => {
    const body = new Uint8Array(10 * 1024 * 1024 + 1);
    const response = await fetch(`${server.url}/other`, { method: 'POST', body });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ message: 'Request Entity Too Large' });
    expect(calls).toEqual([]);
  });

  test('nothing of its own to a body of 10 MB', async () => {
    const body = new Uint8Array(10 * 1024 * 1024);
    const response = await fetch(`${server.url}/other`, { method: 'POST', body });
    expect(response.status).toBe(204);
  });

  test('500 with a fixed sentence when the function throws, and logs the rest', async () => {
    behaviour = () => {
      throw new Error('the secret is 4711');
    };
    const response = await fetch(`${server.url}/other`);
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"message":"Internal Server Error"}');
    expect(logged).toHaveLength(1);
    expect(logged[0]?.what).toContain('api');
    expect(String(logged[0]?.error)).toContain('4711');
  });

  test('500 when the function overruns its timeout', async () => {
    behaviour = async () => new Promise(() => undefined);
    const response = await fetch(`${server.url}/quick`);
    expect(response.status).toBe(500);
    expect(String(logged[0]?.error)).toContain('timed out');
  });

  test.each([
    ['a status that is no number', { statusCode: '200' }],
    ['an answer over 6 MB', { statusCode: 200, body: 'x'.repeat(6 * 1024 * 1024 + 1) }],
  ])('500 to %s', async (_what, result) => {
    behaviour = () => result;
    const response = await fetch(`${server.url}/other`);
    expect(response.status).toBe(500);
    expect(logged).toHaveLength(1);
  });
});

/** Bytes as they are, for what an HTTP client would tidy. */
async function sendRaw(text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.on('close', () => {
    resolve(answer);
  });
  socket.on('error', reject);
  return promise;
}
