import { describe, expect, it } from 'vitest';
import type { Repeatable } from '../../shared/idempotency.ts';
import { readJob } from '../../shared/jobs.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { renewLeases } from '../../shared/verbs/renew-leases.ts';
import { createQueue, type TestQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { complete, mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld({ sleep: 'real' });
const { main, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');

const key = (name: string, fingerprint = 'body'): Repeatable => ({
  key: name,
  route: 'POST claim',
  fingerprint,
});
const from = (queue: TestQueue) => ({ board: queue.board, column: queue.column.column_id });

describe('a claim repeated with its key', () => {
  it('answers the same lease and token, though the queue is empty by now', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 1);
    const first = await claimNext(main, ada, from(queue), key('a'));
    const again = await claimNext(world.engine(), ada, from(queue), key('a'));
    expect(again.replayed).toBe(true);
    expect(again.value.lease_token).toBe(first.value.lease_token);
    expect(again.value.lease_token).toBeTruthy();
    expect(again.value.lease_id).toBe(first.value.lease_id);
  });

  it('takes one card for thirty at once', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 30);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => claimNext(world.engine(), ada, from(queue), key('b'))),
    );
    expect(new Set(answers.map(({ value }) => value.lease_token)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
  });

  it('is refused with another body, works for another caller, and is forgotten after a day, whatever TTL has deleted (idempot-js #191, C-39)', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 3);
    const first = await claimNext(main, ada, from(queue), key('c'));
    await expect(claimNext(main, ada, from(queue), key('c', 'other'))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    const other = await claimNext(main, bob, from(queue), key('c'));
    expect(other.value.lease_id).not.toBe(first.value.lease_id);
    clock.advance(86_400_000);
    expect((await claimNext(main, ada, from(queue), key('c'))).replayed).toBe(false);
  });

  it('after its lease ended is a lost lease, never a second card', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 2);
    const { value } = await claimNext(main, ada, from(queue), key('d'));
    if (value.card === null) throw new Error('nothing claimed');
    await complete(main, ada, value);
    await expect(claimNext(main, ada, from(queue), key('d'))).rejects.toMatchObject({
      code: 'lease_lost',
      extras: { reason: 'completed' },
    });
  });

  it('an empty answer is not remembered', async () => {
    const queue = await createQueue(world);
    expect((await claimNext(main, ada, from(queue), key('e'))).value.card).toBeNull();
    const [id] = await seedCards(world, queue.column, 1);
    expect((await claimNext(main, ada, from(queue), key('e'))).value.card?.id).toBe(id);
  });

  it('by name answers the same lease twice (stardag PR 344, 342)', async () => {
    const queue = await createQueue(world);
    const [card = ''] = await seedCards(world, queue.column, 1);
    const first = await claimCard(main, ada, { card }, key('f'));
    const again = await claimCard(main, ada, { card }, key('f'));
    expect(again.replayed).toBe(true);
    expect(again.value.lease_token).toBe(first.value.lease_token);
    expect((await readJob(main, card))?.run).toBe(1);
  });

  it('in a batch answers the rows recorded and takes no more', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 8);
    const first = await claimBatch(main, ada, { ...from(queue), max: 5 }, key('g'));
    expect(first.value.claims).toHaveLength(5);
    const again = await claimBatch(world.engine(), ada, { ...from(queue), max: 5 }, key('g'));
    const tokens = (claims: typeof first) => claims.value.claims.map((row) => row.lease_token).sort();
    expect(tokens(again)).toEqual(tokens(first));
    await complete(main, ada, first.value.claims[0] ?? { lease_id: '', lease_token: '' });
    const later = await claimBatch(main, ada, { ...from(queue), max: 5 }, key('g'));
    expect(later.value.claims).toHaveLength(4);
  });
});

describe('a claim by name', () => {
  it('of a held card names the holder and when the lease ends', async () => {
    const queue = await createQueue(world);
    const [card = ''] = await seedCards(world, queue.column, 1);
    const held = await mustClaim(main, ada, queue);
    await expect(claimCard(main, bob, { card }, null)).rejects.toMatchObject({
      code: 'lease_held',
      extras: { holder: 'ada', expires_at: held.expires_at },
    });
  });

  it('with takeover displaces the holder, who hears it at the next call', async () => {
    const queue = await createQueue(world, { concurrency_limit: 1 });
    const [card = ''] = await seedCards(world, queue.column, 1);
    const held = await mustClaim(main, ada, queue);
    const { value } = await claimCard(main, bob, { card, takeover: true, reason: 'ada is gone' }, null);
    expect(value).toMatchObject({ attempt: 2, fence: 2, card: { abandoned_by: { agent: 'ada' } } });
    await expect(renew(main, ada, held)).rejects.toMatchObject({
      code: 'lease_lost',
      extras: { reason: 'taken_over', by: 'bob', run: { outcome: 'taken_over' }, current: { agent: 'bob' } },
    });
    await complete(main, bob, value);
  });

  it('is refused for a card that waits, is done, is another’s or stands in no queue, saying which', async () => {
    const queue = await createQueue(world);
    const [held = '', theirs = ''] = await seedCards(world, queue.column, 2, (at) =>
      at === 0 ? { hold: true } : { assignee: 'carol' },
    );
    const [idle = ''] = await seedCards(world, queue.failed, 1);
    const refusal = (card: string) => claimCard(main, ada, { card }, null);
    await expect(refusal(held)).rejects.toMatchObject({
      code: 'not_claimable',
      extras: { state: 'waiting', waiting_on: 'hold' },
    });
    await expect(refusal(theirs)).rejects.toMatchObject({
      code: 'not_claimable',
      extras: { state: 'ready' },
    });
    await expect(refusal(idle)).rejects.toMatchObject({ code: 'not_claimable', extras: { state: 'idle' } });
    await expect(refusal('crd_01ARZ3NDEKTSV4RRFFQ69G5FAV')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of an expired one supersedes it, and twenty rivals get it once', async () => {
    const queue = await createQueue(world);
    const [card = ''] = await seedCards(world, queue.column, 1);
    await mustClaim(main, ada, queue);
    clock.advance(121_000);
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => claimCard(world.engine(), world.agent(`w${at}`), { card }, null)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readJob(main, card)).toMatchObject({ run: 2, attempt: 2 });
  });
});

describe('batches and waits', () => {
  it('claims up to ten distinct cards in order', async () => {
    const queue = await createQueue(world);
    const ids = await seedCards(world, queue.column, 12);
    const { value } = await claimBatch(world.engine(), ada, { ...from(queue), max: 10 }, null);
    expect(value.claims.map((row) => row.card.id).sort()).toEqual(ids.slice(0, 10).sort());
  });

  it('claims within a limit no more than it admits', async () => {
    const queue = await createQueue(world, { concurrency_limit: 3 });
    await seedCards(world, queue.column, 6);
    const { value } = await claimBatch(world.engine(), ada, { ...from(queue), max: 5 }, null);
    expect(value.claims).toHaveLength(3);
  });

  it('renews many leases in one call, a lost one answering for itself', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 3);
    const { value } = await claimBatch(main, ada, { ...from(queue), max: 3 }, null);
    const [first, ...rest] = value.claims;
    await complete(main, ada, first ?? { lease_id: '', lease_token: '' });
    const leases = value.claims.map(({ lease_id, lease_token }) => ({ lease_id, lease_token }));
    const { items } = await renewLeases(main, ada, { leases });
    expect(items[0]).toMatchObject({ lease_id: first?.lease_id, error: { code: 'lease_lost', status: 409 } });
    for (const [at, row] of rest.entries()) {
      expect(items[at + 1]).toMatchObject({ lease_id: row.lease_id, signals: { paused: false } });
    }
  });

  it('waits for a card that appears, and no longer than it may', async () => {
    const queue = await createQueue(world);
    const waiting = claimNext(main, ada, { ...from(queue), wait_seconds: 20 }, null);
    const [id] = await seedCards(world, queue.column, 1);
    expect((await waiting).value.card?.id).toBe(id);
    const before = clock.now();
    const none = await claimNext(main, ada, { ...from(queue), wait_seconds: 10 }, null);
    expect(none.value.card).toBeNull();
    expect(clock.now() - before).toBeGreaterThanOrEqual(10_000);
    expect(clock.now() - before).toBeLessThanOrEqual(12_000);
  });
});
