/** One address, both eras of the protocol: the official client in each of its ways, and what it would not send. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpWorld, ERAS, type Era, type McpWorld } from './support/mcp-world.ts';
import { legacy, modern, raw, type RawRequest } from './support/raw.ts';

let mcp: McpWorld;

beforeAll(async () => {
  mcp = await createMcpWorld();
});

afterAll(async () => mcp.close());

describe.each(Object.keys(ERAS) as Era[])('a client that speaks %s', (era) => {
  test('connects, and is taught the loop in ten lines', async () => {
    const { client } = await mcp.connect(mcp.admin, { era });
    expect(client.getServerVersion()).toMatchObject({ name: 'leaseboard' });
    expect(client.getInstructions()?.split('\n')).toHaveLength(10);
  });

  test('speaks the revision that it asked for', async () => {
    const { client } = await mcp.connect(mcp.admin, { era });
    const expected = era === 'legacy' ? '2025-11-25' : '2026-07-28';
    expect(client.getNegotiatedProtocolVersion()).toBe(expected);
  });

  test('lists the tools and calls one', async () => {
    const { client, call } = await mcp.connect(mcp.admin, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('claim_next_card');
    const { isError, value, texts } = await call('get_me');
    expect(isError).toBe(false);
    expect(value).toMatchObject({ name: 'root', scopes: ['admin'] });
    expect(texts).toEqual([JSON.stringify(value)]);
  });

  test('names the trace of a call where the protocol has it, and it wins over that of its carrier', async () => {
    const carrier = `00-${'c'.repeat(32)}-${'c'.repeat(16)}-00`;
    const own = `00-${'a'.repeat(32)}-${'a'.repeat(16)}-00`;
    const { client, call } = await mcp.connect(mcp.admin, { era, headers: { traceparent: carrier } });
    const board = await call('create_board', { name: 'Traced', slug: `traced-${era}` });
    const given = { board_id: String(board.value['id']), title: 'T' };
    const made = async (meta: object) =>
      (await client.callTool({ name: 'create_card', arguments: given, _meta: { ...meta } }))
        .structuredContent;
    expect(await made({ traceparent: own })).toMatchObject({ traceparent: own });
    expect(await made({})).toMatchObject({ traceparent: carrier });
    expect(await made({ traceparent: 'none' })).toMatchObject({ traceparent: null });
    expect(await made({ traceparent: 7 })).toMatchObject({ traceparent: null });
  });

  test('gets a protocol error for a tool that there is not', async () => {
    const { call } = await mcp.connect(mcp.admin, { era });
    await expect(call('make_coffee')).rejects.toMatchObject({ code: -32_602 });
  });

  test('is refused without a token that is known', async () => {
    const stranger = mcp.connect(`lb_nobody_${'x'.repeat(40)}`, { era });
    await expect(stranger).rejects.toThrow(/401|unauthor/i);
  });
});

async function call(request: RawRequest) {
  const headers = { authorization: `Bearer ${mcp.admin}`, ...request.headers };
  return raw(mcp.origin, { ...request, headers });
}

describe('an answer', () => {
  test.each([
    ['of the revisions before', legacy('tools/list')],
    ['of the current revision', modern('tools/list')],
  ])('%s is plain JSON, also for a client that names no type that it takes', async (_, request) => {
    const { status, headers, body } = await call(request);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(body['result']).toHaveProperty('tools');
  });

  test('may be kept by its client for a while, and by nobody else', async () => {
    const { body, headers } = await call(modern('tools/list'));
    expect(body['result']).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('to a notification is none', async () => {
    const { status, text } = await call({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
    expect([status, text]).toEqual([202, '']);
  });

  test('to a subscription is at an end at once: nothing is streamed', async () => {
    const { status, text } = await call(
      modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    expect(status).toBe(200);
    expect(text).toContain('"resultType":"complete"');
  });

  test('to a batch, of the revisions that have one, is a batch', async () => {
    const ping = { jsonrpc: '2.0', method: 'ping' };
    const { text } = await call({
      body: [
        { ...ping, id: 1 },
        { ...ping, id: 2 },
      ],
    });
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
  });
});

describe('a request of the current revision', () => {
  test('that names a revision to come is told which there are', async () => {
    const { headers, body } = modern('tools/list');
    const text = JSON.stringify(body).replaceAll('2026-07-28', '2031-01-01');
    const answer = await call({ headers: { ...headers, 'mcp-protocol-version': '2031-01-01' }, body: text });
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatchObject({ code: -32_022, data: { supported: ['2026-07-28'] } });
  });

  test('whose headers say something else than its body is refused', async () => {
    const { headers, body } = modern('tools/call', { name: 'get_me' });
    const answer = await call({ headers: { ...headers, 'mcp-name': 'delete_board' }, body });
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatchObject({ code: -32_020 });
  });

  test('for a method that there is not is a 404', async () => {
    const answer = await call(modern('resources/list'));
    expect(answer.status).toBe(404);
    expect(answer.body['error']).toMatchObject({ code: -32_601 });
  });
});

test('a line of the log says what was called, with which ids, by whom, and how it ended', async () => {
  await call(modern('tools/call', { name: 'get_board', arguments: { board_id: 'no-board' } }));
  const line = JSON.parse(mcp.lines.at(-1) ?? '{}') as Record<string, unknown>;
  expect(line).toMatchObject({
    level: 'INFO',
    route: '/mcp',
    rpc: 'tools/call',
    tool: 'get_board',
    board: 'no-board',
    status: 200,
    code: 'not_found',
    token_id: 'root',
  });
});
