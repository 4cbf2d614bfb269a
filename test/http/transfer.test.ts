import { beforeAll, describe, expect, test } from 'vitest';
import { gatewayEvent } from './support/gateway-event.ts';
import { createHttpWorld, type HttpWorld } from './support/http-world.ts';

const NDJSON = 'application/x-ndjson';

let http: HttpWorld;
let admin: string;

beforeAll(async () => {
  http = await createHttpWorld();
  admin = await http.token('keeper');
  await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Desk', slug: 'desk' } });
  await http.call({ method: 'POST', path: '/v1/boards/desk/cards', body: { title: 'One' } });
});

/** The answer as it goes over the wire. */
async function plain(request: Parameters<typeof gatewayEvent>[0]) {
  const headers = { authorization: `Bearer ${admin}`, ...request.headers };
  return http.handlers.api(gatewayEvent({ ...request, headers }));
}

const lines = (text = ''): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function newBoard(slug: string): Promise<void> {
  const body = { name: slug, slug, template: 'empty' };
  await http.call({ method: 'POST', path: '/v1/boards', body });
}

describe('a board over HTTP', () => {
  test('is exported in pages like any list', async () => {
    const first = await http.call({ path: '/v1/boards/desk/export?limit=3' });
    expect(first.body['items']).toMatchObject([{ type: 'board' }, { type: 'column' }, { type: 'column' }]);
    const cursor = String(first.body['next_cursor']);
    const rest = await http.call({ path: `/v1/boards/desk/export?cursor=${cursor}` });
    expect(rest.body).toMatchObject({ next_cursor: null });
    const foreign = await http.call({ path: `/v1/boards/desk/cards?cursor=${cursor}` });
    expect([foreign.status, foreign.body['code']]).toEqual([400, 'invalid_cursor']);
  });

  test('goes as NDJSON to whoever asks for it, and comes back as it went', async () => {
    const { headers, body } = await plain({ path: '/v1/boards/desk/export', headers: { accept: NDJSON } });
    expect(headers['content-type']).toBe(NDJSON);
    const rows = lines(body);
    expect(rows.at(-1)).toEqual({ type: 'page', next_cursor: null });
    await newBoard('copy');
    const sent = { method: 'POST', path: '/v1/boards/copy/import', headers: { 'content-type': NDJSON } };
    for (const base64 of [false, true]) {
      const { status, body: answer } = await http.call({ ...sent, body, base64 });
      expect([status, answer['refused'], (answer['items'] as object[]).length]).toEqual([
        200,
        0,
        rows.length,
      ]);
    }
  });

  test('is read whatever the ends of its lines', async () => {
    await newBoard('ends');
    const { body } = await plain({ path: '/v1/boards/desk/export', headers: { accept: NDJSON } });
    const windows = `\r\n${(body ?? '').replaceAll('\n', '\r\n')}\r\n`;
    const sent = { method: 'POST', path: '/v1/boards/ends/import', headers: { 'content-type': NDJSON } };
    expect((await http.call({ ...sent, body: windows })).body).toMatchObject({ refused: 0 });
  });

  test.each([
    ['a line that is no JSON', '{"type":"page","next_cursor":null}\n{', 400, 'malformed_json', 'Line 2'],
    ['a line that is no object', '[]', 400, 'malformed_json', 'Line 1'],
    [
      'a number that would be rounded',
      '{"type":"page","n":12345678901234567890}',
      422,
      'validation_failed',
      '/rows/0/n',
    ],
    ['no line at all', '\n\n', 422, 'validation_failed', '/rows'],
    ['more lines than a hundred', '{"type":"page"}\n'.repeat(101), 422, 'validation_failed', '/rows'],
  ])('is refused whole with %s', async (_what, body, status, code, said) => {
    const sent = { method: 'POST', path: '/v1/boards/desk/import', headers: { 'content-type': NDJSON } };
    const answer = await http.call({ ...sent, body });
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).toContain(said);
  });

  test('is the only thing that NDJSON is taken for', async () => {
    const headers = { 'content-type': NDJSON };
    const { status } = await http.call({
      method: 'POST',
      path: '/v1/boards/desk/cards',
      headers,
      body: '{}',
    });
    expect(status).toBe(415);
  });

  test('is exported by members and imported by admins', async () => {
    const worker = await http.token('worker', { scopes: ['worker'] });
    const member = await http.token('member', { scopes: ['member'] });
    const put = { method: 'POST', path: '/v1/boards/desk/import', body: { rows: [{ type: 'page' }] } };
    expect((await http.call({ path: '/v1/boards/desk/export' }, worker)).status).toBe(403);
    expect((await http.call({ path: '/v1/boards/desk/export' }, member)).status).toBe(200);
    expect((await http.call(put, member)).status).toBe(403);
    expect((await http.call(put)).status).toBe(200);
  });
});
