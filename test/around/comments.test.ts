import { describe, expect, it } from 'vitest';
import { CreateCommentBody } from '../../shared/schemas/comments.ts';
import { archiveBoard } from '../../shared/verbs/archive-board.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { listComments } from '../../shared/verbs/list-comments.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { refusal, repeatable } from '../boards/support/board.ts';
import { itemBytes } from '../cards/support/worst-card.ts';
import { jobOf, lastEvents, look, made, makeDesk } from '../cards/support/cards.ts';
import { complete, mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { verbsOf } from './support/desk.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock, meter } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const { comment } = verbsOf(world);
const thread = async (card: { id: string }, more: object = {}) =>
  listComments(main, admin, { card: card.id, limit: 50, ...more });

describe('a comment', () => {
  it('is appended, counted on the card, and told by one event', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const said = await comment(card, 'First **thing**');
    expect(said).toEqual({
      id: expect.stringMatching(/^cmt_/),
      author: 'admin',
      body: 'First **thing**',
      mentions: [],
      created_at: new Date(clock.now()).toISOString(),
    });
    await comment(card, 'Second', bob);
    expect((await thread(card)).items.map(({ author, body }) => [author, body])).toEqual([
      ['admin', 'First **thing**'],
      ['bob', 'Second'],
    ]);
    const after = await look(world, card);
    expect(after).toMatchObject({ state: 'ready', rev: card.rev, counts: { comments: 2 } });
    expect(await lastEvents(world, card)).toEqual(['card.commented']);
    expect((await jobOf(world, card)).ev[0]?.by).toEqual({ type: 'agent', id: 'bob' });
  });

  it('to a held card reaches its worker at the next heartbeat, and leaves the hold alone (hermes #64447)', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    await comment(card, 'before the claim');
    const held = await mustClaim(main, ada, desk.queue);
    const before = await jobOf(world, card);
    await comment(card, 'while it works', bob);
    expect((await renew(main, ada, held)).signals.comments_since).toBe(1);
    await comment(card, 'and again', bob);
    expect((await renew(main, ada, held)).signals.comments_since).toBe(2);
    const { nonce, run, expires_at } = await jobOf(world, card);
    expect({ nonce, run }).toEqual({ nonce: before.nonce, run: before.run });
    expect(expires_at).toBe(clock.now() + 120_000);
    expect((await complete(main, ada, held)).card.state).toBe('done');
  });

  it('by thirty writers at once loses none, while its worker heartbeats and completes', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    const said = Array.from({ length: 30 }, async (_, at) =>
      createComment(world.engine(), admin, { card: card.id, body: `comment ${at}` }, null),
    );
    const beats = Array.from({ length: 5 }, async () => renew(world.engine(), ada, held));
    const ended = complete(world.engine(), ada, held);
    await Promise.all([...said, ...beats.map(async (beat) => beat.catch(() => undefined)), ended]);
    const { items } = await thread(card);
    expect(new Set(items.map(({ body }) => body)).size).toBe(30);
    expect(await look(world, card)).toMatchObject({ state: 'done', counts: { comments: 30 } });
    // created, claimed, completed, and one event a comment.
    expect((await jobOf(world, card)).sequence).toBe(33);
  });

  it('is one transaction of two small items, and moves nothing in the lanes', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk, { body: 'x'.repeat(4_096) });
    await mustClaim(main, ada, desk.queue);
    meter.reset();
    await comment(card, 'short and to the point', bob);
    expect(meter.of('transact')).toMatchObject({ calls: 1, indexes: 0 });
    expect(meter.writeUnits).toBeLessThanOrEqual(4);
    expect(itemBytes(await jobOf(world, card))).toBeLessThanOrEqual(1_024);
    expect(meter.readUnits).toBeLessThanOrEqual(2);
  });

  it('repeated under its key is answered again; the key with another text is refused', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const key = repeatable('c-1', 'one', `POST /v1/cards/${card.id}/comments`);
    const say = async (body: string, repeat = key) =>
      createComment(main, bob, { card: card.id, body }, repeat);
    const first = await say('once');
    await comment(card, 'in between');
    expect(await say('once')).toEqual({ value: first.value, created: false, replayed: true });
    expect((await refusal(say('twice', { ...key, fingerprint: 'two' }))).code).toBe('idempotency_key_reused');
    expect((await thread(card)).items).toHaveLength(2);
    const both = await Promise.allSettled([1, 2, 3].map(async () => say('at once', repeatable('c-2'))));
    const answers = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value.value.id] : []));
    expect(new Set(answers).size).toBe(1);
    expect((await thread(card)).items).toHaveLength(3);
  });

  it('can be made on a done, a blocked and an archived card, not on a deleted one or an archived board', async () => {
    const desk = await makeDesk(world);
    const done = await made(world, desk, { column_id: desk.done });
    expect((await comment(done, 'nice')).body).toBe('nice');
    const gone = await made(world, desk);
    await comment(gone, 'soon gone');
    await deleteCard(main, admin, { card: gone.id });
    expect((await refusal(comment(gone, 'hello?'))).code).toBe('not_found');
    expect((await refusal(thread(gone))).code).toBe('not_found');
    const stranger = world.person('eve', { boardId: 'brd_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
    expect((await refusal(comment(done, 'let me in', stranger))).code).toBe('not_found');
    await archiveBoard(main, admin, { board: desk.board.id });
    expect((await refusal(comment(done, 'too late'))).code).toBe('conflict');
  });

  it('must say something, in at most 64 KB', () => {
    const ok = (body: string) => CreateCommentBody.safeParse({ body }).success;
    expect([ok('x'), ok(''), ok(' \n'), ok('x'.repeat(65_536)), ok('x'.repeat(65_537))]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });
});

describe("a holder's own comment", () => {
  it('renews its lease, and is told as the agent', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(60_000);
    const said = await comment(card, 'half way', ada, { lease_token: held.lease_token });
    expect(said.author).toBe('ada');
    expect((await look(world, card)).lease?.expires_at).toBe(new Date(clock.now() + 120_000).toISOString());
    clock.advance(100_000);
    expect((await renew(main, ada, held)).signals.comments_since).toBe(1);
  });

  it('under a lease that another has by now is refused, and nothing is said', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const first = await mustClaim(main, ada, desk.queue);
    clock.advance(121_000);
    await mustClaim(main, bob, desk.queue);
    const lost = await refusal(comment(card, 'still here', ada, { lease_token: first.lease_token }));
    expect(lost).toMatchObject({ code: 'lease_lost', extras: { reason: 'superseded' } });
    expect((await refusal(comment(card, 'me too', ada, { lease_token: 'made up' }))).code).toBe('lease_lost');
    expect((await thread(card)).items).toEqual([]);
    expect((await look(world, card)).counts.comments).toBe(0);
  });

  it.each([false, true])('takes an expired lease back that nobody took, reaper ran: %s', async (reaped) => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(121_000);
    if (reaped) await reap(main, clock.now() + 60_000);
    await comment(card, 'slow but alive', ada, { lease_token: held.lease_token });
    expect((await look(world, card)).lease).toMatchObject({ agent: 'ada', expired: false });
    expect((await complete(main, ada, held)).run).toMatchObject({ outcome: 'completed', number: 1 });
  });
});

describe('a thread', () => {
  it('is read in pages, oldest first, and followed by cursor without a gap', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    for (let at = 0; at < 7; at += 1) await comment(card, `comment ${at}`);
    const first = await thread(card, { limit: 3 });
    expect(first.items.map(({ body }) => body)).toEqual(['comment 0', 'comment 1', 'comment 2']);
    await comment(card, 'comment 7');
    const rest = await thread(card, { limit: 50, cursor: first.next_cursor });
    expect(rest.items.map(({ body }) => body)).toEqual([3, 4, 5, 6, 7].map((at) => `comment ${at}`));
    expect(rest.next_cursor).toBeNull();
    expect((await refusal(thread(card, { cursor: 'made up' }))).code).toBe('invalid_cursor');
  });

  it('of long comments stays within what an answer may hold', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    // Written out as JSON each of these characters takes six bytes.
    for (let at = 0; at < 15; at += 1) await comment(card, `${at}${'\u0001'.repeat(65_000)}`);
    const items = [];
    let cursor: string | null | undefined;
    let pages = 0;
    do {
      const page = await thread(card, { limit: 100, ...(cursor ? { cursor } : {}) });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(5_000_000);
      items.push(...page.items);
      cursor = page.next_cursor;
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBeGreaterThan(1);
    expect(items.map(({ body }) => Number.parseInt(body, 10))).toEqual(
      Array.from({ length: 15 }, (_, at) => at),
    );
  });
});
