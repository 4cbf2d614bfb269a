/** A claim whose answer was lost is had again by its key, and by nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpWorld, type McpWorld } from './support/mcp-world.ts';
import { createQueue, held, type Queue } from './support/queue.ts';

let mcp: McpWorld;

beforeAll(async () => {
  mcp = await createMcpWorld();
});

afterAll(async () => mcp.close());

const placeOf = ({ board_id, column_id }: Queue) => ({ board_id, column_id });

/** Carries requests out, but loses the first answer to a call of this tool. */
function losing(tool: string): typeof fetch {
  let lost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (lost || typeof init?.body !== 'string' || !init.body.includes(`"${tool}"`)) return response;
    lost = true;
    await response.body?.cancel();
    throw new TypeError('fetch failed');
  };
}

async function leases(queue: Queue): Promise<unknown[]> {
  const { value } = await queue.admin.call('list_leases', { board_id: queue.board_id });
  return value['items'] as unknown[];
}

describe.each(['legacy', 'modern'] as const)('a claim over a line that loses its answer (%s)', (era) => {
  test('is repeated with its key, and answers the same lease', async () => {
    const queue = await createQueue(mcp);
    const [card] = [await queue.card('One'), await queue.card('Two')];
    const token = await mcp.token(`lossy${era}`, { scopes: ['worker'] });
    const { call } = await mcp.connect(token, { era, fetch: losing('claim_next_card') });
    const claim = { ...placeOf(queue), claim_key: 'turn-1' };

    await expect(call('claim_next_card', claim)).rejects.toThrow(/fetch failed/);
    const resumed = await call('claim_next_card', claim);
    const again = await call('claim_next_card', claim);

    expect(resumed.value).toMatchObject({ resumed: true, attempt: 1, card: { id: card } });
    expect(held(again.value)).toEqual(held(resumed.value));
    expect(await leases(queue)).toHaveLength(1);
    expect((await call('complete_lease', { ...held(resumed.value), summary: 'ok' })).isError).toBe(false);
  });
});

describe('a claim', () => {
  test('says nothing of resuming when it is the first', async () => {
    const queue = await createQueue(mcp);
    await queue.card('One');
    const { call } = await queue.worker('first');
    const { value } = await call('claim_next_card', { ...placeOf(queue), claim_key: 'a' });
    expect(value).not.toHaveProperty('resumed');
  });

  test('is not resumed by the name of an agent, which a whole fleet may share', async () => {
    const queue = await createQueue(mcp);
    await queue.card('One');
    await queue.card('Two');
    const [first, second] = [await queue.worker('fleet', 'drafter'), await queue.worker('fleet', 'drafter')];
    const claims = [
      await first.call('claim_next_card', { ...placeOf(queue), claim_key: 'one' }),
      await second.call('claim_next_card', { ...placeOf(queue), claim_key: 'two' }),
      await second.call('claim_next_card', placeOf(queue)),
    ];
    expect(claims.map(({ value }) => value['resumed'])).toEqual([undefined, undefined, undefined]);
    expect(claims[0]?.value['lease_id']).not.toBe(claims[1]?.value['lease_id']);
    expect(claims[2]?.value['card']).toBeNull();
  });

  test('is not resumed by a key that another token has used', async () => {
    const queue = await createQueue(mcp);
    await queue.card('One');
    const [first, second] = [await queue.worker('owner'), await queue.worker('stranger')];
    await first.call('claim_next_card', { ...placeOf(queue), claim_key: 'same' });
    const { value } = await second.call('claim_next_card', { ...placeOf(queue), claim_key: 'same' });
    expect(value).toMatchObject({ card: null, lease_token: null });
  });

  test('of one card is resumed by its key, too', async () => {
    const queue = await createQueue(mcp);
    const card_id = await queue.card('One');
    const { call } = await queue.worker('named');
    const claims = [
      await call('claim_card', { card_id, claim_key: 'k' }),
      await call('claim_card', { card_id, claim_key: 'k' }),
    ];
    expect(claims.map(({ value }) => value['resumed'])).toEqual([undefined, true]);
    expect(new Set(claims.map(({ value }) => value['lease_token'])).size).toBe(1);
  });

  test('under a key that was used for other arguments is refused, and says what to do', async () => {
    const queue = await createQueue(mcp);
    await queue.card('One');
    const { call } = await queue.worker('careless');
    await call('claim_next_card', { ...placeOf(queue), claim_key: 'k' });
    const { value, texts } = await call('claim_next_card', {
      ...placeOf(queue),
      claim_key: 'k',
      labels: ['x'],
    });
    expect(value['error']).toMatchObject({ code: 'idempotency_key_reused' });
    expect(texts[0]).toMatch(/exactly its arguments.*new key/);
  });

  test('whose lease has ended is not had again', async () => {
    const queue = await createQueue(mcp);
    await queue.card('One');
    const { call } = await queue.worker('done');
    const claim = { ...placeOf(queue), claim_key: 'k' };
    await call('complete_lease', held((await call('claim_next_card', claim)).value));
    const { value } = await call('claim_next_card', claim);
    expect(value['error']).toMatchObject({ code: 'lease_lost' });
  });

  test('is the same claim over HTTP, under the same key', async () => {
    const queue = await createQueue(mcp);
    await queue.card('One');
    const token = await mcp.token('both', { scopes: ['worker'] });
    const { call } = await mcp.connect(token);
    const { value } = await call('claim_next_card', { ...placeOf(queue), claim_key: 'k' });
    const path = `/v1/boards/${queue.board_id}/columns/${queue.column_id}:claim-next`;
    const headers = { 'idempotency-key': 'k' };
    const answer = await mcp.call({ method: 'POST', path, body: {}, headers }, token);
    expect(answer.headers['idempotent-replayed']).toBe('true');
    expect(answer.body['lease_token']).toBe(value['lease_token']);
  });
});

test('a creation is repeated with its idempotency_key and makes one card', async () => {
  const queue = await createQueue(mcp);
  const create = { ...placeOf(queue), title: 'Once', idempotency_key: 'k' };
  const [first, second] = [
    await queue.admin.call('create_card', create),
    await queue.admin.call('create_card', create),
  ];
  expect([first.value['resumed'], second.value['resumed']]).toEqual([undefined, true]);
  expect(second.value['id']).toBe(first.value['id']);
});
