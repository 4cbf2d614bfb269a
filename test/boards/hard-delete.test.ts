/**
 * A board deleted for good, with everything on it that a board can have: nothing that anybody has written is left in the
 * table or among the files. What its events leave behind is in test/events/going-away.test.ts.
 */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { tendGoing } from '../../shared/going-away/tend-going.ts';
import { GOING_SETTLE_MS } from '../../shared/policy.ts';
import { documentClient } from '../../shared/store/client.ts';
import type { Bucket } from '../../shared/attachments/bucket.ts';
import { emptyBoard, post, type Json } from '../http/support/furnished-board.ts';
import { createHttpWorld, type HttpWorld } from '../http/support/http-world.ts';
import { shelf } from '../http/support/shelf.ts';

/** In everything that is written, so that what is left of it is found wherever it went. */
const MARK = 'zebra';
const KEYED = { 'idempotency-key': `${MARK}-key` };
const DAY_SECONDS = 86_400;
const ADOPTED_MS = 10_000;

const files = new Set<string>();
let http: HttpWorld;
let board: string;
let column: string;

/** A shelf that can be looked at. */
function watched(): Bucket {
  const bucket = shelf();
  return {
    ...bucket,
    put: async (key, bytes, type) => {
      files.add(key);
      await bucket.put(key, bytes, type);
    },
    remove: async (key) => {
      files.delete(key);
      await bucket.remove(key);
    },
  };
}

async function everything(): Promise<Json[]> {
  const { clientOptions, tableName: TableName } = http.world.table;
  const scan = new ScanCommand({ TableName, ConsistentRead: true });
  return ((await documentClient(clientOptions).send(scan)).Items ?? []) as Json[];
}

async function call(method: string, path: string, body: Json, headers: Record<string, string> = {}) {
  const answer = await http.call({ method, path, body, headers });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

beforeAll(async () => {
  http = await createHttpWorld({ bucketOf: () => watched(), maxWaitMs: 0 });
  ({ board, column } = await emptyBoard(http, MARK));
  await furnish();
});

async function furnish(): Promise<void> {
  const cards = `/v1/boards/${board}/cards`;
  const queue = `/v1/boards/${board}/columns/${column}`;
  const claim = async (agent: string, headers = {}) =>
    call('POST', `${queue}:claim-next`, { agent: `${MARK}-${agent}` }, headers);
  const end = async ({ lease_id, lease_token }: Json, verb: string, body: Json) =>
    post(http, `/v1/leases/${String(lease_id)}:${verb}`, { lease_token, ...body });
  await call('PUT', `${queue}/contract`, { enabled: true, concurrency_limit: 5, max_per_assignee: 5 });
  // A limit is in force once no lease from before it can be out.
  http.world.clock.advance(ADOPTED_MS);
  await claim('nobody');
  const text = { title: MARK, body: MARK.repeat(500), properties: { [MARK]: MARK }, labels: [MARK] };
  const first = await call('POST', cards, { ...text, column_id: column, dedupe_key: MARK }, KEYED);
  const card = `/v1/cards/${String(first['id'])}`;
  await post(http, `${card}/comments`, { body: MARK });
  const file = { name: `${MARK}.txt`, content_type: 'text/plain', content_base64: 'YQ==' };
  await post(http, `${card}/attachments`, file);
  const held = await claim('ada', { 'idempotency-key': `${MARK}-claim` });
  await end(held, 'renew', { note: MARK, checkpoint: MARK });
  await end(held, 'complete', { output: { [MARK]: MARK }, summary: MARK, metadata: { [MARK]: MARK } });
  await post(http, cards, { ...text, column_id: column, assignee: `${MARK}-eve` });
  await end(await claim('eve'), 'fail', { reason: MARK });
  await post(http, cards, { ...text, column_id: column });
  await end(await claim('bob'), 'block', { kind: 'needs_input', reason: MARK });
  await post(http, cards, { ...text, column_id: column });
  await claim('joe');
  const graph = { cards: [{ ref: MARK, ...text }], links: [{ parent: first['id'], child: MARK }] };
  await call('POST', `/v1/boards/${board}/graphs`, graph, KEYED);
  const root = await post(http, cards, text);
  await post(http, `/v1/cards/${String(root['id'])}:decompose`, { cards: [{ ref: MARK, ...text }] });
  await post(http, `/v1/cards/${String(root['id'])}:hold`, { reason: MARK });
  const gone = await post(http, cards, text);
  await http.call({ method: 'DELETE', path: `/v1/cards/${String(gone['id'])}` });
  const hook = { url: `http://127.0.0.1:9009/${MARK}`, description: MARK };
  const { id: webhook } = await post(http, `/v1/boards/${board}/webhooks`, hook);
  await post(http, `/v1/boards/${board}/webhooks/${String(webhook)}:test`);
  const { id: earlier } = await post(http, `/v1/boards/${board}/webhooks`, hook);
  await post(http, `/v1/boards/${board}/webhooks/${String(earlier)}:test`);
  await http.call({ method: 'DELETE', path: `/v1/boards/${board}/webhooks/${String(earlier)}` });
  await post(http, '/v1/tokens', { name: MARK, scopes: ['worker'], board_id: board, agent: MARK });
  await call('PATCH', `/v1/boards/${board}`, { description: MARK, run_retention_days: 30 });
}

describe('a board deleted for good', () => {
  test('leaves no file, no token and no word that was written on it, but the names that a graph used, for a week', async () => {
    expect((await everything()).filter((item) => JSON.stringify(item).includes(MARK)).length).toBeGreaterThan(
      30,
    );
    expect(files.size).toBe(1);

    await http.call({ method: 'DELETE', path: `/v1/boards/${board}?hard=true` });
    for (let minute = 0; minute < 6; minute += 1) {
      http.world.clock.advance(GOING_SETTLE_MS);
      await tendGoing(http.world.engine(), http.world.clock.now() + 50_000);
    }

    const left = (await everything()).filter((item) =>
      [MARK, board, column].some((word) => JSON.stringify(item).includes(word)),
    );
    const repeats = left.filter(({ fingerprint }) => typeof fingerprint === 'string');
    const tombstones = left.filter(({ state }) => state === 'deleted');
    const graphs = left.filter(({ sk }) => sk === 'GRAPH');
    const known = [...repeats, ...tombstones, ...graphs];
    expect(left.filter((item) => !known.includes(item))).toEqual([]);
    expect(repeats.length).toBeGreaterThan(2);
    expect(JSON.stringify([repeats, tombstones])).not.toContain(MARK);
    const lastingLonger = (items: readonly Json[], days: number) =>
      items.filter(({ ttl }) => !(Number(ttl) <= http.world.clock.now() / 1_000 + days * DAY_SECONDS));
    expect(lastingLonger(repeats, 1)).toEqual([]);
    expect(lastingLonger(graphs, 7)).toEqual([]);
    expect(lastingLonger(tombstones, 30)).toEqual([]);
    expect([...files]).toEqual([]);
  });
});
