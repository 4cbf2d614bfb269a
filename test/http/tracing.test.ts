/** W3C Trace Context from a request to its line in the log and to the cards that it makes. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { requestSpan } from '../../functions/http/span.ts';
import { spansOf } from '../../functions/tracer/spans.ts';
import { parseTraceparent, traceparentText } from '../../shared/trace-context.ts';
import { createHttpWorld, type HttpWorld, type TestAnswer } from './support/http-world.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SAMPLED = `00-${TRACE}-${SPAN}-01`;
const UNSAMPLED = `00-${TRACE}-${SPAN}-00`;

const MALFORMED = [
  '',
  'garbage',
  SAMPLED.toUpperCase(),
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE.slice(1)}-${SPAN}-01`,
  `${SAMPLED},${SAMPLED}`,
  ` ${SAMPLED}`,
  `01-${TRACE}-${SPAN}-01-${'x'.repeat(300)}`,
];

describe('traceparent', () => {
  test.each(MALFORMED)('%j is none', (text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  test.each([
    [SAMPLED, SAMPLED],
    [UNSAMPLED, UNSAMPLED],
    // Flags and versions that are not known here are not handed on.
    [`00-${TRACE}-${SPAN}-ff`, SAMPLED],
    [`00-${TRACE}-${SPAN}-02`, UNSAMPLED],
    [`01-${TRACE}-${SPAN}-01-what-will-be`, SAMPLED],
  ])('%s is handed on as %s', (text, expected) => {
    const context = parseTraceparent(text);
    expect(context === null ? null : traceparentText(context)).toBe(expected);
  });
});

describe('the span of a request', () => {
  let made = 0;
  /** The same ids in each run: every digit of the first is 1, of the second 2. */
  const deps = { secret: (bytes: number) => Buffer.alloc(bytes, (made += 1) * 0x11).toString('base64url') };
  /** Ends with the digits by which the rate decides. */
  const traceEnding = (end: string) => `00-${TRACE.slice(0, 32 - end.length)}${end}-${SPAN}-01`;

  test('is not recorded where tracing is off, and the caller’s trace goes on unchanged', () => {
    expect(requestSpan(SAMPLED, 0, deps)).toEqual({ fields: { trace_id: TRACE }, traceparent: SAMPLED });
    expect(requestSpan(undefined, 0, deps)).toBeNull();
    expect(requestSpan('garbage', 0, deps)).toBeNull();
  });

  test('is a child of the caller’s, and what the request makes a child of it', () => {
    made = 1;
    expect(requestSpan(SAMPLED, 1, deps)).toEqual({
      fields: { trace_id: TRACE, span_id: '2'.repeat(16), parent_span_id: SPAN },
      traceparent: `00-${TRACE}-${'2'.repeat(16)}-01`,
    });
  });

  test('begins a trace where the caller has none, or one that cannot be read', () => {
    for (const given of [undefined, 'garbage']) {
      made = 0;
      expect(requestSpan(given, 1, deps)).toEqual({
        fields: { trace_id: '1'.repeat(32), span_id: '2'.repeat(16) },
        traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
      });
    }
  });

  test('is not recorded against the caller’s wish', () => {
    expect(requestSpan(UNSAMPLED, 1, deps)).toEqual({ fields: { trace_id: TRACE }, traceparent: UNSAMPLED });
  });

  test('is recorded of a hundredth of the traces at 1 %, whatever share the callers sample', () => {
    const recorded = (end: string) =>
      requestSpan(traceEnding(end), 0.01, deps)?.fields['span_id'] !== undefined;
    const ends = Array.from({ length: 200 }, (_, at) =>
      ((at + 0.5) / 200).toString(16).slice(2).padEnd(13, '0').slice(0, 13),
    );
    expect(ends.filter(recorded)).toEqual(ends.slice(-2));
  });
});

describe('over HTTP', () => {
  let http: HttpWorld;
  let board: string;
  let ready: string;

  beforeAll(async () => {
    http = await createHttpWorld({ traceRate: 1 });
    const { body } = await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Bugs' } });
    board = `/v1/boards/${String(body['slug'])}`;
    const columns = body['columns'] as { id: string; name: string }[];
    ready = columns.find(({ name }) => name === 'Ready')?.id ?? '';
  });

  const post = async (path: string, body: object, traceparent?: string): Promise<TestAnswer> =>
    http.call({ method: 'POST', path, body, headers: traceparent === undefined ? {} : { traceparent } });
  const traceOf = async (id: unknown): Promise<unknown> =>
    (await http.call({ path: `/v1/cards/${String(id)}` })).body['traceparent'];
  const lastLine = (): Record<string, unknown> => JSON.parse(http.lines.at(-1) ?? '{}');

  test('a card keeps the span that made it, and its claim hands that on', async () => {
    const { status, body } = await post(`${board}/cards`, { title: 'T', column_id: ready }, SAMPLED);
    expect(status).toBe(201);
    const line = lastLine();
    expect(line).toMatchObject({ trace_id: TRACE, parent_span_id: SPAN });
    const expected = `00-${TRACE}-${String(line['span_id'])}-01`;
    expect(body['traceparent']).toBe(expected);
    expect(await traceOf(body['id'])).toBe(expected);
    const claim = await post(`${board}/columns/${ready}:claim-next`, { agent: 'fixer' }, UNSAMPLED);
    expect(claim.body['card']).toMatchObject({ id: body['id'], traceparent: expected });
    expect(lastLine()).toMatchObject({ trace_id: TRACE });
    expect(lastLine()).not.toHaveProperty('span_id');
  });

  test('the line of a recorded request is a span to the tracer', async () => {
    await post(`${board}/cards`, { title: 'T' }, SAMPLED);
    const batch = { messageType: 'DATA_MESSAGE', logGroup: 'g', logEvents: [{ message: http.lines.at(-1) }] };
    const event = { awslogs: { data: gzipSync(JSON.stringify(batch)).toString('base64') } };
    const span = { traceId: TRACE, parentSpanId: SPAN, name: 'POST /v1/boards/{board}/cards' };
    expect(spansOf(event)).toMatchObject({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  });

  test('so do the cards of a batch, a graph, a swarm and a decomposition', async () => {
    const one = { title: 'T', column_id: ready };
    const batch = await post(`${board}/cards:batch`, { cards: [one, one] }, UNSAMPLED);
    const items = batch.body['items'] as { card: { id: string; traceparent: string } }[];
    expect(items.map(({ card }) => card.traceparent)).toEqual([UNSAMPLED, UNSAMPLED]);
    const graph = await post(`${board}/graphs`, { cards: [{ ref: 'a', ...one }] }, UNSAMPLED);
    const swarm = await post(
      `${board}/graphs:swarm`,
      { goal: 'G', workers: ['ada'], verifier: 'bob', synthesizer: 'eve' },
      UNSAMPLED,
    );
    const card = items[0]?.card.id ?? '';
    const parts = await post(`/v1/cards/${card}:decompose`, { cards: [{ ref: 'a', title: 'P' }] }, UNSAMPLED);
    for (const { status, body } of [graph, swarm, parts]) {
      expect([200, 201]).toContain(status);
      const ids = Object.values(body['cards'] as Record<string, string>);
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) expect(await traceOf(id)).toBe(UNSAMPLED);
    }
  });

  test.each(MALFORMED)('a card made under %j is made, in a trace of its own', async (traceparent) => {
    const { status, body } = await post(`${board}/cards`, { title: 'T' }, traceparent);
    expect(status).toBe(201);
    const { trace_id: trace, span_id: span, parent_span_id: parent } = lastLine();
    expect(trace).not.toBe(TRACE);
    expect(parent).toBeUndefined();
    expect(body['traceparent']).toBe(`00-${String(trace)}-${String(span)}-01`);
  });

  test('a repeat under another trace is the same request, and the card keeps the first', async () => {
    const headers = { 'idempotency-key': 'once' };
    const make = async (traceparent: string) =>
      http.call({
        method: 'POST',
        path: `${board}/cards`,
        body: { title: 'T' },
        headers: { ...headers, traceparent },
      });
    const first = await make(UNSAMPLED);
    const again = await make(`00-${'a'.repeat(32)}-${SPAN}-00`);
    expect(again.body['id']).toBe(first.body['id']);
    expect(again.body['traceparent']).toBe(UNSAMPLED);
  });

  test('a change of the card leaves its trace alone, and says none in its body', async () => {
    const { body } = await post(`${board}/cards`, { title: 'T' }, UNSAMPLED);
    const path = `/v1/cards/${String(body['id'])}`;
    const other = { traceparent: `00-${'a'.repeat(32)}-${SPAN}-00` };
    const patched = await http.call({ method: 'PATCH', path, body: { title: 'U' }, headers: other });
    expect(patched.body).toMatchObject({ title: 'U', traceparent: UNSAMPLED });
    const refused = await http.call({ method: 'PATCH', path, body: other });
    expect(refused.status).toBe(422);
  });
});
