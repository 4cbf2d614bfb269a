import { describe, expect, it } from 'vitest';
import { CONTEXT } from '../../shared/policy.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { getContext } from '../../shared/verbs/get-context.ts';
import { refusal, repeatable } from '../boards/support/board.ts';
import { made } from '../cards/support/cards.ts';
import { inWidth } from '../../shared/width.ts';
import { claimFrom, complete, fail, mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { makeAround, verbsOf } from './support/desk.ts';

const world = await createWorld();
const { main, admin, clock, meter } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const { block, comment, completeByHand, requestChanges, requestReview, unblock } = verbsOf(world);
const context = async (card: { id: string }) => getContext(main, admin, { card: card.id });
const WHOLE_BYTES = 131_072;

describe('the context of a card', () => {
  it('that nobody has touched is its title and its text, and costs one reading', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk, { title: 'Fix it', body: 'x'.repeat(2_000) });
    meter.reset();
    expect(await context(card)).toEqual({
      text: `# ${card.key}: Fix it\n\n${'x'.repeat(2_000)}`,
      sections: {
        card: { id: card.id, key: card.key, title: 'Fix it', body: 'x'.repeat(2_000) },
        abandoned_by: null,
        parents: [],
        attempts: [],
        comments: [],
        attachments: [],
      },
      truncated: [],
    });
    expect(meter.of('batchGet').calls).toBe(1);
  });

  it('tells what was tried, what was said, and who went quiet with which checkpoint', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk, { title: 'Fix it', body: 'Please.' });
    await fail(main, ada, await mustClaim(main, ada, desk.queue), {
      reason: 'no luck with v1',
      metadata: { tried: ['v1'] },
      retry_after_seconds: 0,
    });
    clock.advance(1_000);
    await block(ada, await mustClaim(main, ada, desk.queue), { reason: 'which version?' });
    await comment(card, 'v2, please. @ada', world.person('eve'));
    await unblock(card);
    await requestReview(ada, await mustClaim(main, ada, desk.queue), { summary: 'v2 it is' });
    await requestChanges(bob, await mustClaim(main, bob, desk.reviewQueue), { reason: 'now add a test' });
    const lost = await mustClaim(main, ada, desk.queue);
    await renew(main, ada, lost, { checkpoint: 'test half written' });
    clock.advance(121_000);
    const held = await mustClaim(main, ada, desk.queue, { with_context: true });
    const told = await context(card);
    expect(held.context).toEqual(told);
    expect(told.truncated).toEqual([]);
    expect(told.sections).toMatchObject({
      abandoned_by: { agent: 'ada', attempt: 1, checkpoint: 'test half written' },
      attempts: [
        { number: 1, outcome: 'failed', error: 'no luck with v1', metadata: { tried: ['v1'] } },
        { number: 2, outcome: 'blocked', error: 'which version?' },
        { number: 3, outcome: 'review_requested', agent: 'ada', summary: 'v2 it is' },
        { number: 4, outcome: 'changes_requested', agent: 'bob', error: 'now add a test' },
        { number: 5, outcome: 'expired', agent: 'ada' },
      ],
      comments: [{ author: 'eve', body: 'v2, please. @ada' }],
    });
    const order = [
      'Fix it',
      'Please.',
      'test half written',
      'no luck with v1',
      '{"tried":["v1"]}',
      'which version?',
      'v2 it is',
      'now add a test',
      'v2, please. @ada',
    ].map((words) => told.text.indexOf(words));
    expect(order.every((at) => at >= 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(told.text).not.toContain(held.lease_token);
  });

  it('of the worst card stays bounded, keeps the newest, and says what it left out', async () => {
    const desk = await makeAround(world, { max_attempts: 100 });
    const card = await made(world, desk, { body: 'é'.repeat(100_000) });
    const big = 's'.repeat(8_192);
    for (let round = 0; round < 14; round += 1) {
      await fail(main, ada, await mustClaim(main, ada, desk.queue), {
        reason: `round ${round} ${'r'.repeat(900)}`,
        metadata: { round, text: 'm'.repeat(30_000) },
        retry_after_seconds: 0,
      });
      clock.advance(2_000);
      await requestReview(ada, await mustClaim(main, ada, desk.queue), { summary: `${round} ${big}` });
      await requestChanges(bob, await mustClaim(main, bob, desk.reviewQueue));
    }
    for (let at = 0; at < 45; at += 1) await comment(card, `comment ${at} ${'c'.repeat(5_000)}`);
    const told = await context(card);
    expect(Buffer.byteLength(told.text)).toBeLessThan(WHOLE_BYTES);
    expect(Buffer.byteLength(JSON.stringify(told.sections))).toBeLessThan(WHOLE_BYTES);
    const { card: head, attempts, comments } = told.sections;
    expect(Buffer.byteLength(head.body)).toBe(CONTEXT.bodyBytes);
    expect(attempts.at(-1)).toMatchObject({ number: 42, outcome: 'changes_requested' });
    expect(attempts.map(({ number }) => number)).toEqual(
      attempts.map((_, at) => 42 - attempts.length + 1 + at),
    );
    expect(comments.at(-1)?.body).toMatch(/^comment 44 /);
    expect(comments.length).toBeGreaterThan(8);
    expect(told.truncated).toEqual(
      expect.arrayContaining([
        'body: the first 16384 of 200000 bytes',
        'metadata of attempt 40: left out, 30022 bytes',
        expect.stringMatching(/^summary of attempt 41: the first 4096 of 8195 bytes/),
        `attempts: ${42 - attempts.length} older of 42 left out`,
        `comments: ${45 - comments.length} older of 45 left out`,
      ]),
    );
    for (const said of told.truncated) expect(told.text).toContain(said);
  });

  it('of a card with very many parents hands over what was done last, and counts those it left out', async () => {
    const desk = await makeAround(world);
    const parents = await inWidth(8, Array.from({ length: 60 }), async () =>
      made(world, desk, { column_id: desk.todo }),
    );
    const child = await made(world, desk, { parents: parents.map(({ id }) => id) });
    for (const [at, parent] of parents.entries()) {
      clock.advance(1_000);
      await completeByHand(parent, {
        summary: `result ${at}`,
        metadata: { text: 'm'.repeat(at < 59 ? 900 : 20_000) },
      });
    }
    const { sections, text, truncated } = await context(child);
    const shown = sections.parents.length;
    expect(shown).toBeGreaterThan(10);
    expect(sections.parents.map(({ summary }) => summary)).toEqual(
      Array.from({ length: shown }, (_, at) => `result ${60 - shown + at}`),
    );
    expect(sections.parents.at(-1)?.metadata).toBeNull();
    expect(sections.parents.at(-2)?.metadata).toEqual({ text: 'm'.repeat(900) });
    expect(truncated).toEqual([
      `metadata of ${parents.at(-1)?.key}: left out, 20011 bytes`,
      `parents: ${60 - shown} older of 60 left out`,
    ]);
    for (const said of truncated) expect(text).toContain(said);
  });

  it('is found for a card that the caller may know of, and for no other', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk);
    const stranger = world.person('eve', { boardId: 'brd_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
    expect((await refusal(getContext(main, stranger, { card: card.id }))).code).toBe('not_found');
    expect((await refusal(getContext(main, admin, { card: 'crd_nope' }))).code).toBe('not_found');
  });

  it('tells what a person did to a card that no worker had', async () => {
    const desk = await makeAround(world, { on_success_column_id: null });
    const card = await made(world, desk);
    await completeByHand(card, { summary: 'Done on paper', metadata: { ref: 7 } });
    const { sections, text } = await context(card);
    expect(sections.attempts).toMatchObject([
      { number: 1, agent: null, outcome: 'completed', summary: 'Done on paper', metadata: { ref: 7 } },
    ]);
    expect(text).toContain('Done on paper');
  });
});

describe('a claim', () => {
  it('answers the context only where it is asked to, and reads nothing more unasked', async () => {
    const desk = await makeAround(world);
    for (let at = 0; at < 4; at += 1) await made(world, desk, { title: `Card ${at}` });
    meter.reset();
    expect(await mustClaim(main, ada, desk.queue)).not.toHaveProperty('context');
    const unasked = meter.of('batchGet').calls;
    meter.reset();
    expect((await claimFrom(main, ada, desk.queue, { with_context: true }))?.context?.text).toMatch(
      /Card 1$/,
    );
    expect(meter.of('batchGet').calls).toBe(unasked + 1);
    const { value } = await claimBatch(
      main,
      ada,
      { board: desk.board.id, column: desk.ready, max: 2, with_context: true },
      null,
    );
    const titles = value.claims.map(({ context: told }) => told?.sections.card.title);
    expect(new Set(titles)).toEqual(new Set(['Card 2', 'Card 3']));
  });

  it('by name and repeated under its key answers it as well', async () => {
    const desk = await makeAround(world);
    const card = await made(world, desk, { title: 'By name' });
    const claim = async () =>
      claimCard(main, ada, { card: card.id, with_context: true }, repeatable('k', 'b', 'claim'));
    const first = await claim();
    await comment(card, 'meanwhile');
    const again = await claim();
    expect(first.value.context?.text).not.toContain('meanwhile');
    expect(again.replayed).toBe(true);
    expect(again.value.context?.text).toContain('meanwhile');
    await complete(main, ada, first.value);
  });
});
