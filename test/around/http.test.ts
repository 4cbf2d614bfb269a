/** The same stories through requests alone, each answer held against the document. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createHttpWorld, type HttpWorld, type TestAnswer } from '../http/support/http-world.ts';

type Json = Record<string, unknown>;
const object = (value: unknown): Json => value as Json;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

let http: HttpWorld;
let board: string;
let columns: Map<string, string>;
let worker: string;

beforeAll(async () => {
  http = await createHttpWorld();
  worker = await http.token('fleet', { scopes: ['worker'] });
  const { body } = await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Around' } });
  board = `/v1/boards/${String(body['slug'])}`;
  columns = new Map(list(body['columns']).map((column) => [String(column['name']), String(column['id'])]));
});

const post = async (path: string, body: Json = {}, headers: Record<string, string> = {}, token?: string) =>
  http.call({ method: 'POST', path, body, headers }, token);
const get = async (path: string) => http.call({ path });

async function newCard(more: Json = {}): Promise<string> {
  const { body } = await post(`${board}/cards`, { title: 'Story', column_id: columns.get('Ready'), ...more });
  return `/v1/cards/${String(body['id'])}`;
}

async function claim(column: string, agent: string, more: Json = {}) {
  const path = `${board}/columns/${columns.get(column) ?? ''}:claim-next`;
  const { body } = await post(path, { agent, ...more }, {}, worker);
  const lease = `/v1/leases/${String(body['lease_id'])}`;
  const verb = async (name: string, said: Json = {}): Promise<TestAnswer> =>
    post(`${lease}:${name}`, { lease_token: body['lease_token'], ...said }, { 'X-Agent': agent }, worker);
  return { body, verb, token: String(body['lease_token']) };
}

describe('work with a review by a person', () => {
  test('goes from its worker to the reviewer, back, and is approved', async () => {
    const card = await newCard({ title: 'Write the release notes' });
    const drafter = await claim('Ready', 'drafter');
    expect(await drafter.verb('request-review')).toMatchObject({ status: 422 });
    const asked = await drafter.verb('request-review', { summary: 'First draft', metadata: { words: 300 } });
    expect(asked).toMatchObject({
      status: 200,
      body: { card: { column_id: columns.get('Review') }, run: { outcome: 'review_requested' } },
    });

    const back = await post(`${card}:reopen-review`, { reason: 'Name the authors' });
    expect(back.body).toMatchObject({ column_id: columns.get('Ready'), assignee: 'drafter' });
    expect(back.body['reserved_until']).toEqual(expect.any(String));
    expect((await claim('Ready', 'someone-else')).body).toMatchObject({ card: null, reason: 'not_yours' });

    const again = await claim('Ready', 'drafter', { with_context: true });
    expect(object(again.body['context'])['text']).toContain('Name the authors');
    await again.verb('request-review', { summary: 'With authors', reviewer: 'editor' });
    const editor = await claim('Review', 'editor');
    await editor.verb('request-changes', { reason: 'One is missing' });
    await (await claim('Ready', 'drafter')).verb('request-review', { summary: 'All of them' });
    const approved = await post(`${card}:complete`, { summary: 'Approved', metadata: { by: 'hand' } });
    expect(approved.body).toMatchObject({
      state: 'done',
      column_id: columns.get('Done'),
      summary: 'Approved',
    });

    const { body } = await get(`${card}/runs`);
    expect(list(body['items']).map(({ agent, outcome }) => [agent, outcome])).toEqual([
      ['drafter', 'review_requested'],
      [null, 'changes_requested'],
      ['drafter', 'review_requested'],
      ['editor', 'changes_requested'],
      ['drafter', 'review_requested'],
      [null, 'completed'],
    ]);
  });
});

describe('a thread', () => {
  test('is written by people and workers, once each, and read in pages', async () => {
    const card = await newCard({ column_id: columns.get('Triage') });
    const key = { 'Idempotency-Key': 'say-1' };
    const first = await post(`${card}/comments`, { body: 'Look, @drafter' }, key, worker);
    expect(first).toMatchObject({ status: 201, body: { author: 'fleet', mentions: ['drafter'] } });
    const again = await post(`${card}/comments`, { body: 'Look, @drafter' }, key, worker);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await post(`${card}/comments`, { body: 'Else' }, key, worker)).status).toBe(422);
    expect((await post(`${card}/comments`, { text: 'x' })).status).toBe(422);
    await post(`${card}/comments`, { body: 'Second' });
    const page = await get(`${card}/comments?limit=1`);
    expect(list(page.body['items'])).toHaveLength(1);
    const rest = await get(`${card}/comments?cursor=${String(page.body['next_cursor'])}`);
    expect(list(rest.body['items']).map(({ body }) => body)).toEqual(['Second']);
    expect((await get(card)).body['counts']).toMatchObject({ comments: 2 });
  });

  test("is written by a card's holder by its token, in the header as well, which renews the lease", async () => {
    const card = await newCard();
    const held = await claim('Ready', 'drafter');
    http.world.clock.advance(60_000);
    const said = await post(
      `${card}/comments`,
      { body: 'Half way' },
      { 'X-Lease-Token': held.token },
      worker,
    );
    expect(said.body['author']).toBe('drafter');
    http.world.clock.advance(100_000);
    expect((await held.verb('renew')).body['signals']).toMatchObject({ comments_since: 1 });
    const lost = await post(`${card}/comments`, { body: 'x', lease_token: 'made up' }, {}, worker);
    expect(lost.body['code']).toBe('lease_lost');
    await held.verb('complete');
  });
});

describe('a block', () => {
  test('by a worker waits for a person, who lets it go on; by a worker without a lease it is forbidden', async () => {
    const card = await newCard();
    const held = await claim('Ready', 'drafter');
    expect((await held.verb('block', { kind: 'boredom', reason: 'x' })).status).toBe(422);
    expect((await held.verb('block', { kind: 'dependency', reason: 'x' })).body['code']).toBe('conflict');
    const blocked = await held.verb('block', { kind: 'needs_input', reason: 'Which one?' });
    expect(blocked.body).toMatchObject({
      card: { state: 'blocked', block: { kind: 'needs_input', by: 'drafter' } },
      run: { outcome: 'blocked', error: 'Which one?' },
    });
    for (const verb of ['complete', 'block', 'unblock', 'promote', 'reopen-review']) {
      expect((await post(`${card}:${verb}`, { reason: 'x' }, {}, worker)).status).toBe(403);
    }
    expect((await post(`${card}/unblock`)).body).toMatchObject({ state: 'ready', block: null });
    expect((await post(`${card}:block`)).status).toBe(422);
    expect((await post(`${card}:block`, { reason: 'Not now', kind: null })).body['state']).toBe('blocked');
    expect((await post(`${card}:promote`)).body['state']).toBe('ready');
    expect((await get(`${card}/context`)).body).toMatchObject({
      sections: { attempts: [{ outcome: 'blocked' }, { outcome: 'blocked', error: 'Not now' }] },
      truncated: [],
    });
  });
});
