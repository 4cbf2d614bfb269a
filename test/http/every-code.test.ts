/** Every refusal of the closed table, by a request that a client could send. */
import { beforeAll, expect, test, vi } from 'vitest';
import { PROBLEMS, problem, type ProblemCode } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/policy.ts';
import { createHttpWorld, type HttpWorld, type TestAnswer } from './support/http-world.ts';

type Json = Record<string, unknown>;

let http: HttpWorld;
let ready: string;
let idle: string;
const BOARD = '/v1/boards/codes';

beforeAll(async () => {
  http = await createHttpWorld();
  const { body } = await post('/v1/boards', { name: 'Codes', slug: 'codes' });
  const ids = new Map((body['columns'] as Json[]).map(({ name, id }) => [name, String(id)]));
  ready = ids.get('Ready') ?? '';
  idle = ids.get('To do') ?? '';
});

const post = async (path: string, body: unknown = {}, headers = {}): Promise<TestAnswer> =>
  http.call({ method: 'POST', path, body, headers });

async function newCard(more: Json = {}): Promise<string> {
  const { body } = await post(`${BOARD}/cards`, { title: 'A card', column_id: ready, ...more });
  return String(body['id']);
}

/** A card of its own, held. */
async function held(more: Json = {}): Promise<{ card: string; lease: string; lease_token: unknown }> {
  const card = await newCard(more);
  const { body } = await post(`/v1/cards/${card}:claim`, { agent: 'ada' });
  return { card, lease: `/v1/leases/${String(body['lease_id'])}`, lease_token: body['lease_token'] };
}

/** A queue of its own with this contract. */
async function queue(contract: Json): Promise<string> {
  const { body } = await post(`${BOARD}/columns`, { name: `Queue ${crypto.randomUUID()}`, role: 'work' });
  const id = String(body['id']);
  const put = await http.call({ method: 'PUT', path: `${BOARD}/columns/${id}/contract`, body: contract });
  expect(put.status).toBe(200);
  return id;
}

/** Completes a card of a queue whose outputs must fit `output_schema`. */
async function completed(output_schema: unknown, output: unknown): Promise<TestAnswer> {
  const { lease, lease_token } = await held({ column_id: await queue({ enabled: true, output_schema }) });
  return post(`${lease}:complete`, { lease_token, output });
}

const nested = (depth: number): Json => (depth === 0 ? {} : { next: nested(depth - 1) });
/** Each level of the value is looked at twice from the level above. */
const DOUBLING = { properties: { next: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } };

const REQUESTS: Readonly<Record<ProblemCode, () => Promise<TestAnswer>>> = {
  malformed_json: async () => post(`${BOARD}/cards`, '{"title":'),
  invalid_cursor: async () => http.call({ path: `${BOARD}/cards?cursor=mine` }),
  unauthenticated: async () => http.call({ path: BOARD }, null),
  forbidden: async () => http.call({ path: '/v1/tokens' }, await http.token('fixer', { scopes: ['worker'] })),
  not_found: async () => http.call({ path: '/v1/cards/card_01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
  method_not_allowed: async () => http.call({ method: 'PUT', path: BOARD }),
  lease_lost: async () => post(`${(await held()).lease}:renew`, { lease_token: 'another' }),
  lease_held: async () => post(`/v1/cards/${(await held()).card}:claim`, { agent: 'bob' }),
  parents_open: async () => {
    const parent = await newCard({ column_id: idle });
    return post(`/v1/cards/${await newCard({ parents: [parent] })}:complete`, { summary: 'Done' });
  },
  not_claimable: async () => post(`/v1/cards/${await newCard({ hold: true })}:claim`, { agent: 'ada' }),
  contract_disabled: async () => post(`${BOARD}/columns/${idle}:claim-next`),
  conflict: async () => {
    const card = await newCard();
    return post(`/v1/cards/${card}/links`, { parent_id: card });
  },
  idempotency_in_progress: async () => {
    const busyPart = { old: undefined };
    // Two transactions that collided, neither of which is there yet: the table has this for an instant only.
    vi.spyOn(http.world.main.store, 'transact').mockResolvedValueOnce({
      ok: false,
      refused: [busyPart, busyPart, busyPart],
    });
    return post(`${BOARD}/cards`, { title: 'Once' }, { 'idempotency-key': 'in-progress' });
  },
  quota_exceeded: async () => {
    const { body } = await post('/v1/boards', { name: 'Wide' });
    const columns = `/v1/boards/${String(body['id'])}/columns`;
    let answer = await post(columns, { name: 'One more' });
    for (let more = 0; answer.status === 201 && more < LIMITS.columnsPerBoard; more += 1)
      answer = await post(columns, { name: 'One more' });
    return answer;
  },
  stale_revision: async () =>
    http.call({
      method: 'PATCH',
      path: `/v1/cards/${await newCard()}`,
      body: { title: 'Newer' },
      headers: { 'if-match': '"9"' },
    }),
  payload_too_large: async () => post(`${BOARD}/cards`, { title: 'Long', body: 'x'.repeat(1_100_000) }),
  unsupported_media_type: async () => post(`${BOARD}/cards`, 'title=A', { 'content-type': 'text/plain' }),
  validation_failed: async () => post(`${BOARD}/cards`, { title: '' }),
  invalid_contract: async () =>
    http.call({
      method: 'PUT',
      path: `${BOARD}/columns/${ready}/contract`,
      body: { enabled: true, max_attempts: 0 },
    }),
  output_invalid: async () => completed({ type: 'string' }, 5),
  artifact_missing: async () => {
    const { lease, lease_token } = await held();
    return post(`${lease}:complete`, { lease_token, artifacts: ['report.pdf'] });
  },
  schema_too_expensive: async () => completed(DOUBLING, nested(28)),
  idempotency_key_reused: async () => {
    await post(`${BOARD}/cards`, { title: 'First' }, { 'idempotency-key': 'reused' });
    return post(`${BOARD}/cards`, { title: 'Second' }, { 'idempotency-key': 'reused' });
  },
  rate_limited: async () => {
    const limited = await http.token('limited', { requests_per_minute: 1 });
    await http.call({ path: BOARD }, limited);
    return http.call({ path: BOARD }, limited);
  },
  internal: async () => http.call({ path: '/healthz', headers: { odd: 5 as unknown as string } }),
  throttled: async () => {
    const busy = problem('throttled', 'The table is busy.', { retry_after_seconds: 1 });
    vi.spyOn(http.world.main.store, 'batchGet').mockRejectedValueOnce(busy);
    return http.call({ path: `/v1/cards/${await newCard()}` });
  },
};

test.each(Object.keys(REQUESTS) as ProblemCode[])('%s', async (code) => {
  const { status, headers, body } = await REQUESTS[code]();
  expect([body['code'], status]).toEqual([code, PROBLEMS[code].status]);
  expect(headers['content-type']).toBe('application/problem+json');
  expect(body['detail']).toMatch(/\w \w/);
});
