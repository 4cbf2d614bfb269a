import { describe, expect, it } from 'vitest';
import { fitAnswer, FUNCTION_ANSWER_BYTES } from '../../functions/http/fit-answer.ts';
import type { HttpAnswer } from '../../functions/http/write-answer.ts';
import { contractToStore, DEFAULT_CONTRACT } from '../../shared/contract/settings.ts';
import { newColumn } from '../../shared/boards/new-column.ts';
import { LIMITS } from '../../shared/policy.ts';
import { LAYOUT_VERSION } from '../../shared/store/items.ts';
import { boardKey, runKey } from '../../shared/store/keys.ts';
import { jsonBytes } from '../../shared/text.ts';
import { bulkCards } from '../../shared/verbs/bulk-cards.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { createCards } from '../../shared/verbs/create-cards.ts';
import { getContract } from '../../shared/verbs/get-contract.ts';
import { listRuns } from '../../shared/verbs/list-runs.ts';
import { putContract } from '../../shared/verbs/put-contract.ts';
import { look as lookAtBoard, refusal } from '../boards/support/board.ts';
import { jobOf, look, made, makeDesk } from '../cards/support/cards.ts';
import { storeItems } from '../support/seed.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');

/** What a function may hand to Lambda, as Lambda counts it. */
const sentBytes = (value: unknown): number =>
  jsonBytes(fitAnswer({ statusCode: 200, headers: {}, body: JSON.stringify(value) }, trace()));
const trace = () => ({ requestId: 'r-1' });
/** Each of its bytes is two in JSON. */
const QUOTES = '"'.repeat(LIMITS.bodyBytes);

describe('what a function answers', () => {
  const answer = (body: string): HttpAnswer => ({ statusCode: 200, headers: { etag: '"1"' }, body });
  const plain = (bytes: number) => answer(`"${'x'.repeat(bytes - 2)}"`);
  const room = FUNCTION_ANSWER_BYTES - 8_192;

  it('goes out as it is while Lambda takes it', () => {
    const largest = plain(room - 4);
    expect(fitAnswer(largest, trace())).toBe(largest);
    expect(jsonBytes(largest)).toBeLessThanOrEqual(FUNCTION_ANSWER_BYTES);
  });

  it('goes out in base64 where its quotes would count twice', () => {
    const quotes = answer(JSON.stringify('"'.repeat(2_200_000)));
    const sent = fitAnswer(quotes, trace());
    expect(sent.isBase64Encoded).toBe(true);
    expect(Buffer.from(sent.body ?? '', 'base64').toString()).toBe(quotes.body);
    expect(jsonBytes(sent)).toBeLessThanOrEqual(FUNCTION_ANSWER_BYTES);
    expect(sent.headers).toEqual(quotes.headers);
  });

  it('is refused where it cannot, saying what to ask for instead, and the log has the reason', () => {
    const noted: { requestId: string; error?: unknown } = trace();
    const sent = fitAnswer(plain(room + 1), noted);
    expect(sent.statusCode).toBe(413);
    expect(JSON.parse(sent.body ?? '')).toMatchObject({
      code: 'payload_too_large',
      detail: expect.stringContaining('a smaller limit'),
    });
    expect(noted.error).toMatchObject({ code: 'payload_too_large' });
  });
});

describe('large cards', () => {
  it('are claimed as many at once as the answer has room for; the others are back in their queue', async () => {
    const desk = await makeDesk(world);
    const ids: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      ids.push((await made(world, desk, { body: QUOTES, properties: { p: '"'.repeat(30_000) } })).id);
    }
    const input = { board: desk.board.id, column: desk.ready, max: 10 };
    const { value } = await claimBatch(main, ada, input, null);
    expect(sentBytes(value)).toBeLessThanOrEqual(FUNCTION_ANSWER_BYTES);
    expect(value.claims.length).toBeGreaterThan(5);
    expect(value.claims.length).toBeLessThan(10);
    const taken = new Set(value.claims.map(({ card }) => card.id));
    for (const id of ids.filter((each) => !taken.has(each))) {
      expect(await jobOf(world, { id })).toMatchObject({ state: 'ready', attempt: 0 });
    }
    const rest = await claimBatch(main, ada, input, null);
    expect([...taken, ...rest.value.claims.map(({ card }) => card.id)].toSorted()).toEqual(ids.toSorted());
  });

  it('are changed in bulk, all of them, and answered as far as there is room', async () => {
    const desk = await makeDesk(world);
    const ids: string[] = [];
    for (let at = 0; at < 12; at += 1) ids.push((await made(world, desk, { body: QUOTES })).id);
    const answer = await bulkCards(main, admin, { board: desk.board.id, ids, patch: { priority: 7 } });
    expect(sentBytes(answer)).toBeLessThanOrEqual(FUNCTION_ANSWER_BYTES);
    expect(answer.items.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const shown = answer.items.filter((row) => 'card' in row && row.card !== null).length;
    expect(shown).toBeGreaterThan(8);
    expect(shown).toBeLessThan(12);
    for (const id of ids) expect(await look(world, { id })).toMatchObject({ priority: 7 });
  });

  it('that a batch finds by their keys are named where they do not fit; new ones are answered whole', async () => {
    const desk = await makeDesk(world);
    const keys = Array.from({ length: 13 }, (_, at) => `key-${at}`);
    for (const key of keys) await made(world, desk, { body: QUOTES, dedupe_key: key });
    const cards = [...keys, undefined].map((key) => ({
      title: 'Again',
      column_id: desk.ready,
      ...(key === undefined ? {} : { dedupe_key: key }),
    }));
    const { value } = await createCards(main, admin, { board: desk.board.id, cards }, null);
    expect(sentBytes(value)).toBeLessThanOrEqual(FUNCTION_ANSWER_BYTES);
    expect(value.items.at(-1)).toMatchObject({ status: 201, card: { title: 'Again' } });
    const named = value.items.filter(({ status }) => status === 413);
    expect(named.length).toBeGreaterThan(0);
    expect(named[0]).toMatchObject({ error: { code: 'payload_too_large' } });
    expect(JSON.stringify(named[0])).toMatch(/GET \/v1\/cards\/crd_/);
  });

  it('show their runs on pages that fit, and all of them in the end', async () => {
    const desk = await makeDesk(world);
    const { id } = await made(world, desk);
    const runs = Array.from({ length: 60 }, (_, at) => ({
      ...runKey(id, at + 1),
      v: LAYOUT_VERSION,
      board_id: desk.board.id,
      number: at + 1,
      attempt: 1,
      agent: 'ada',
      outcome: 'failed',
      summary: '"'.repeat(LIMITS.summaryBytes),
      error: '"'.repeat(LIMITS.summaryBytes),
      metadata: JSON.stringify({ m: '"'.repeat(32_000) }),
      started_at: 1,
      ended_at: 2,
    }));
    await storeItems(world, runs);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listRuns(main, admin, {
        card: id,
        limit: 100,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(sentBytes(page)).toBeLessThanOrEqual(FUNCTION_ANSWER_BYTES);
      expect(page.items.length).toBeGreaterThan(0);
      seen.push(...page.items.map(({ number }) => number));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(runs.map(({ number }) => number));
  });
});

it('a board’s contracts leave room for its answer, and the one that would not is refused', async () => {
  const desk = await makeDesk(world);
  const schema = (bytes: number) => ({ description: 'x'.repeat(bytes) });
  const full = { ...DEFAULT_CONTRACT, input_schema: schema(65_000), output_schema: schema(65_000) };
  const own = jsonBytes(full);
  const count = Math.floor(LIMITS.boardContractsBytes / own) - 1;
  const columns = Array.from({ length: count }, (_, at) => ({
    ...newColumn(main, desk.board.id, { name: `Column ${at}`, role: 'plain' }),
    contract: contractToStore(full),
  }));
  await storeItems(world, columns);
  await main.store.write({
    kind: 'update',
    key: boardKey(desk.board.id),
    set: { column_ids: [...desk.board.columns.map(({ id }) => id), ...columns.map(({ pk }) => pk)] },
    remove: [],
  });
  const [last, further] = [desk.ready, desk.todo];
  const put = async (column: string) =>
    putContract(world.engine(), admin, {
      board: desk.board.id,
      column,
      contract: { ...full, enabled: false },
    });
  await put(last);
  expect(sentBytes(await lookAtBoard(world, desk.board))).toBeLessThanOrEqual(FUNCTION_ANSWER_BYTES);
  const before = await getContract(world.engine(), admin, { board: desk.board.id, column: further });
  const refused = await refusal(put(further));
  expect(refused).toMatchObject({
    code: 'quota_exceeded',
    message: expect.stringContaining('another board'),
  });
  expect(await getContract(world.engine(), admin, { board: desk.board.id, column: further })).toEqual(before);
});
