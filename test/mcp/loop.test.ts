/** The whole loop of a worker through the tools, and what its refusals tell it to do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpWorld, type McpWorld, type ToolAnswer } from './support/mcp-world.ts';
import { createQueue, held } from './support/queue.ts';

let mcp: McpWorld;

beforeAll(async () => {
  mcp = await createMcpWorld();
});

afterAll(async () => mcp.close());

/** A refusal that names its code and the next step, in words and in structure. */
function expectRefusal({ isError, value, texts }: ToolAnswer, code: string, next: RegExp): void {
  expect([isError, value['error']]).toEqual([true, expect.objectContaining({ code })]);
  const [sentence = '', json = ''] = texts;
  expect(sentence).toMatch(new RegExp(`^Refused \\(${code}\\): .+\\nNext: `));
  expect(sentence).toMatch(next);
  expect(JSON.parse(json)).toEqual(value);
}

describe('a worker', () => {
  test('claims, keeps, and completes a card', async () => {
    const queue = await createQueue(mcp);
    const card = await queue.card('Draft the release notes', { body: 'For version 2.' });
    const { call } = await queue.worker('drafter', 'drafter-1');

    const claimed = await call('claim_next_card', placeOf(queue));
    expect(claimed.value).toMatchObject({
      card: { id: card, title: 'Draft the release notes', body: 'For version 2.', state: 'leased' },
      attempt: 1,
      lease: { agent: 'drafter-1' },
    });
    const lease = held(claimed.value);

    mcp.world.clock.advance(40_000);
    const renewed = await call('renew_lease', { ...lease, progress: 50, note: 'half way' });
    expect(renewed.value).toMatchObject({ signals: { cancel_requested: null, wrap_up: false } });
    expect(Date.parse(String(renewed.value['expires_at']))).toBeGreaterThan(
      Date.parse(String(claimed.value['expires_at'])),
    );

    const completed = await call('complete_lease', { ...lease, output: { pr: 7 }, summary: 'Written.' });
    expect(completed.value).toMatchObject({
      card: { state: 'done', output: { pr: 7 }, summary: 'Written.' },
      run: { outcome: 'completed', agent: 'drafter-1' },
    });
  });

  test('that finds nothing hears why and when to ask again, which is no error', async () => {
    const queue = await createQueue(mcp);
    const { call } = await queue.worker('idler');
    const { isError, value } = await call('claim_next_card', placeOf(queue));
    expect(isError).toBe(false);
    expect(value).toMatchObject({ card: null, reason: 'empty', retry_after_seconds: expect.any(Number) });
  });

  test('that fails gives the card to the next attempt, which is told of it', async () => {
    const queue = await createQueue(mcp, { backoff_seconds: [0], backoff_jitter: 0 });
    const card = await queue.card('Flaky');
    const { call } = await queue.worker('failing');
    const first = held((await call('claim_next_card', placeOf(queue))).value);
    const failed = await call('fail_lease', { ...first, reason: 'no network' });
    expect(failed.value).toMatchObject({ dead_lettered: false, run: { outcome: 'failed' } });

    const second = await call('claim_next_card', placeOf(queue));
    expect(second.value).toMatchObject({ card: { id: card }, attempt: 2 });
    const { value: runs } = await call('list_runs', { card_id: card });
    expect(runs['items']).toMatchObject([{ error: 'no network' }, { outcome: null }]);
  });

  test('that is asked to stop hears of it, and gives the card back at no attempt', async () => {
    const queue = await createQueue(mcp);
    const card = await queue.card('Not wanted any more');
    const { call } = await queue.worker('asked');
    const lease = held((await call('claim_next_card', placeOf(queue))).value);
    await queue.admin.call('request_cancel', { card_id: card, reason: 'decided otherwise' });

    const { value } = await call('renew_lease', lease);
    expect(value['signals']).toMatchObject({ cancel_requested: { reason: 'decided otherwise' } });
    const released = await call('release_lease', lease);
    expect(released.value).toMatchObject({ card: { attempt: 0 }, run: { outcome: 'released' } });
  });

  test('names itself by argument or by header, and not by two names at once', async () => {
    const queue = await createQueue(mcp);
    await queue.card('One');
    await queue.card('Two');
    const token = await mcp.token('nameless', { scopes: ['worker'] });
    const { call } = await mcp.connect(token, { headers: { 'x-agent': 'drafter-7' } });

    const byHeader = await call('claim_next_card', placeOf(queue));
    expect(byHeader.value).toMatchObject({ lease: { agent: 'drafter-7' } });
    const twoNames = await call('claim_next_card', { ...placeOf(queue), agent: 'drafter-8' });
    expectRefusal(twoNames, 'validation_failed', /Correct the arguments/);
    const plain = await mcp.connect(token);
    const byArgument = await plain.call('claim_next_card', { ...placeOf(queue), agent: 'drafter-8' });
    expect(byArgument.value).toMatchObject({ lease: { agent: 'drafter-8' } });
  });

  test('changes the card that it holds, and no other', async () => {
    const queue = await createQueue(mcp);
    const [mine, other] = [await queue.card('Mine'), await queue.card('Other')];
    const { call } = await queue.worker('editor');
    const { lease_token } = held((await call('claim_card', { card_id: mine })).value);
    const changed = await call('update_card', { card_id: mine, lease_token, properties: { seen: true } });
    expect(changed.value).toMatchObject({ properties: { seen: true } });
    const without = await call('update_card', { card_id: other, title: 'Taken over' });
    expectRefusal(without, 'forbidden', /Do not repeat it/);
  });
});

describe('a refusal', () => {
  test('of output that does not fit says what to correct, and the lease stays', async () => {
    const output_schema = { type: 'object', required: ['pr'], properties: { pr: { type: 'integer' } } };
    const queue = await createQueue(mcp, { output_schema });
    await queue.card('Strict');
    const { call } = await queue.worker('strict');
    const lease = held((await call('claim_next_card', placeOf(queue))).value);

    const refused = await call('complete_lease', { ...lease, output: { pr: 'seven' } });
    expectRefusal(refused, 'output_invalid', /lease stays.*call complete_lease again/);
    expect(refused.value['error']).toMatchObject({ errors: [{ path: '/output/pr' }] });
    const corrected = await call('complete_lease', { ...lease, output: { pr: 7 } });
    expect(corrected.isError).toBe(false);
  });

  test('of a lease that another has now says to stop, who has it, and what to call', async () => {
    const queue = await createQueue(mcp);
    const card = await queue.card('Contested');
    const late = await queue.worker('late', 'drafter-1');
    const next = await queue.worker('next', 'drafter-2');
    const lease = held((await late.call('claim_next_card', placeOf(queue))).value);
    mcp.world.clock.advance(121_000);
    await next.call('claim_next_card', placeOf(queue));

    const refused = await late.call('complete_lease', { ...lease, summary: 'too late' });
    expectRefusal(refused, 'lease_lost', /Stop working on this card.*claim_next_card/);
    expect(refused.value['error']).toMatchObject({ current: { agent: 'drafter-2' }, retryable: false });
    const { value } = await next.call('get_card', { card_id: card });
    expect(value).toMatchObject({ state: 'leased', summary: null });
  });

  test('of a card that another holds names the holder', async () => {
    const queue = await createQueue(mcp);
    const card = await queue.card('Held');
    await (await queue.worker('holder', 'drafter-1')).call('claim_next_card', placeOf(queue));
    const refused = await (await queue.worker('other')).call('claim_card', { card_id: card });
    expectRefusal(refused, 'lease_held', /claim_next_card for another card/);
    expect(refused.value['error']).toMatchObject({ holder: 'drafter-1' });
  });

  test('of an argument names it, and of an unknown one says so', async () => {
    const queue = await createQueue(mcp);
    const missing = await queue.admin.call('claim_next_card', { board_id: queue.board_id });
    expectRefusal(missing, 'validation_failed', /column_id/);
    const unknown = await queue.admin.call('claim_next_card', { ...placeOf(queue), cloumn: 'x' });
    expectRefusal(unknown, 'validation_failed', /unknown field 'cloumn'/);
    const otherName = await queue.admin.call('list_cards', {
      board_id: queue.board_id,
      column: queue.column_id,
    });
    expectRefusal(otherName, 'validation_failed', /called column_id here/);
  });

  test('of a contract that says nothing leaves the queue as it is', async () => {
    const queue = await createQueue(mcp, { max_attempts: 9 });
    const refused = await queue.admin.call('set_column_contract', placeOf(queue));
    expectRefusal(refused, 'validation_failed', /no field of it was given/);
    const { value } = await queue.admin.call('get_column_contract', placeOf(queue));
    expect(value).toMatchObject({ enabled: true, max_attempts: 9 });
  });

  test('of an edit of what has changed since says to read again', async () => {
    const queue = await createQueue(mcp);
    const card = await queue.card('Edited twice');
    const { value } = await queue.admin.call('get_card', { card_id: card });
    const edit = { card_id: card, if_rev: value['rev'] };
    await queue.admin.call('update_card', { ...edit, title: 'First' });
    const second = await queue.admin.call('update_card', { ...edit, title: 'Second' });
    expectRefusal(second, 'stale_revision', /get_card, apply your change/);
  });

  test('for a token of another board does not tell that there is anything', async () => {
    const [mine, other] = [await createQueue(mcp), await createQueue(mcp)];
    const token = await mcp.token('fenced', { scopes: ['worker'], board_id: mine.board_id });
    const { call } = await mcp.connect(token);
    const refused = await call('claim_next_card', placeOf(other));
    expectRefusal(refused, 'not_found', /Look the id up/);
    expect((await call('claim_next_card', placeOf(mine))).isError).toBe(false);
  });
});

describe('a list', () => {
  test('is a page that fits a model, filtered by column_id, and goes on where it ended', async () => {
    const queue = await createQueue(mcp);
    const cards = Array.from({ length: 23 }, (_, at) => ({
      column_id: queue.column_id,
      title: `Card ${at}`,
    }));
    await queue.admin.call('create_cards', { board_id: queue.board_id, cards });
    const first = await queue.admin.call('list_cards', placeOf(queue));
    expect(first.value['items']).toHaveLength(20);
    const cursor = first.value['next_cursor'];
    const second = await queue.admin.call('list_cards', { ...placeOf(queue), cursor });
    expect(second.value).toMatchObject({ items: { length: 3 }, next_cursor: null });
    const elsewhere = { board_id: queue.board_id, column_id: queue.columns[0]?.id };
    expect((await queue.admin.call('list_cards', elsewhere)).value['items']).toEqual([]);
  });
});

const placeOf = ({ board_id, column_id }: { board_id: string; column_id: string }) => ({
  board_id,
  column_id,
});
