import { describe, expect, it } from 'vitest';
import { readJob } from '../../shared/jobs.ts';
import { readRun } from '../../shared/runs.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { createQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, fail, mustClaim, release, renew, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { main, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const reapNow = () => reap(main, clock.now() + 50_000);

async function oneCard(
  contract: Parameters<typeof createQueue>[1] = {},
  job: Parameters<typeof seedCards>[3] = () => ({}),
) {
  const queue = await createQueue(world, contract);
  const [id = ''] = await seedCards(world, queue.column, 1, job);
  return { queue, id };
}

describe('complete', () => {
  it('closes the run, patches the card and moves it to the success column in one write', async () => {
    const { queue, id } = await oneCard();
    const held = await mustClaim(main, ada, queue);
    const { card, run } = await complete(main, ada, held, {
      output: { url: 'https://example.com' },
      summary: 'drafted',
      properties: { status: 'drafted', source: null },
    });
    expect(card).toMatchObject({
      id,
      state: 'done',
      column_id: queue.done.column_id,
      summary: 'drafted',
      lease: null,
    });
    expect(card.output).toEqual({ url: 'https://example.com' });
    expect(card.properties).toMatchObject({ status: 'drafted' });
    expect(card.properties).not.toHaveProperty('source');
    expect(run).toMatchObject({ number: 1, outcome: 'completed', agent: 'ada' });
  });

  it('repeated with its token answers the same and moves the card once; fail after it is refused (base PR 3244)', async () => {
    const { queue, id } = await oneCard();
    const held = await mustClaim(main, ada, queue);
    const first = await complete(main, ada, held, { output: 1 });
    const sequence = (await readJob(main, id))?.sequence;
    expect(await complete(main, ada, held, { output: 1 })).toEqual(first);
    expect((await readJob(main, id))?.sequence).toBe(sequence);
    await expect(fail(main, ada, held)).rejects.toMatchObject({
      code: 'lease_lost',
      extras: { reason: 'completed', by: 'ada', run: { number: 1, outcome: 'completed' }, current: null },
    });
  });

  it('of a stale worker is refused and leaves the new holder untouched (hermes #21141, cards C-8)', async () => {
    const { queue, id } = await oneCard();
    const old = await mustClaim(main, ada, queue);
    clock.advance(120_000);
    const held = await mustClaim(main, bob, queue);
    expect(held).toMatchObject({ attempt: 2, fence: 2 });
    expect(held.card.abandoned_by).toMatchObject({ agent: 'ada', attempt: 1 });
    const before = await readJob(main, id);
    for (const verb of [complete, fail, release, renew]) {
      await expect(verb(main, ada, old)).rejects.toMatchObject({
        code: 'lease_lost',
        extras: { reason: 'superseded', by: 'bob', retryable: false, current: { agent: 'bob', attempt: 2 } },
      });
    }
    expect(await readJob(main, id)).toEqual(before);
    expect((await complete(main, bob, held)).card.state).toBe('done');
  });

  it('with a guessed token, or any string, is a lost lease and changes nothing (claude-code #23884)', async () => {
    const { queue, id } = await oneCard();
    const held = await mustClaim(main, ada, queue);
    const forged = `${held.lease_token.slice(0, -4)}AAAA`;
    for (const token of ['', 'x', forged, held.lease_token.toLowerCase()]) {
      await expect(complete(main, ada, { ...held, lease_token: token })).rejects.toMatchObject({
        code: 'lease_lost',
      });
    }
    expect(await readJob(main, id)).toMatchObject({ state: 'leased', agent: 'ada' });
    const unknown = { ...held, lease_id: held.lease_id.replace(/_1$/, '_7') };
    await expect(complete(main, ada, unknown)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of output that does not fit the schema keeps the lease, so the worker can mend it', async () => {
    const output_schema = { type: 'object', required: ['url'], properties: { url: { type: 'string' } } };
    const { queue } = await oneCard({ output_schema });
    const held = await mustClaim(main, ada, queue);
    await expect(complete(main, ada, held)).rejects.toMatchObject({ code: 'output_invalid' });
    await expect(complete(main, ada, held, { output: { url: 1 } })).rejects.toMatchObject({
      code: 'output_invalid',
      extras: { errors: [{ path: '/output/url' }] },
    });
    expect((await complete(main, ada, held, { output: { url: 'x' } })).card.state).toBe('done');
  });

  it.each(['before', 'after'])(
    'by a late worker is welcome %s the reaper ran, while nobody took the card',
    async (when) => {
      const { queue } = await oneCard();
      const held = await mustClaim(main, ada, queue);
      clock.advance(200_000);
      if (when === 'after') expect((await reapNow()).expired).toBeGreaterThanOrEqual(1);
      const { card, run } = await complete(main, ada, held, { output: 'late' });
      expect(card).toMatchObject({ state: 'done', output: 'late', abandoned_by: null });
      expect(run).toMatchObject({ outcome: 'completed', late: when === 'after', agent: 'ada' });
    },
  );
});

describe('renew', () => {
  it('pushes the deadline, is silent, and never shortens (veritas: renew must not bump the revision)', async () => {
    const { queue, id } = await oneCard();
    const held = await mustClaim(main, ada, queue);
    const before = await readJob(main, id);
    clock.advance(40_000);
    const renewed = await renew(main, ada, held, { note: 'half way', progress: 50 });
    expect(Date.parse(renewed.expires_at) - clock.now()).toBe(120_000);
    const shorter = await renew(main, ada, held, { lease_ttl_seconds: 5 });
    expect(shorter.expires_at).toBe(renewed.expires_at);
    const after = await readJob(main, id);
    expect(after).toMatchObject({
      rev: before?.rev,
      sequence: before?.sequence,
      note: 'half way',
      progress: 50,
    });
  });

  it('keeps a lease alive for as long as it beats, whatever the reaper and claimers do', async () => {
    const { queue, id } = await oneCard();
    const held = await mustClaim(main, ada, queue);
    for (let beat = 0; beat < 12; beat += 1) {
      clock.advance(40_000);
      await renew(main, ada, held);
      await reapNow();
      expect(await claimFrom(main, bob, queue)).toBeNull();
    }
    expect(await readJob(main, id)).toMatchObject({ state: 'leased', agent: 'ada', attempt: 1, run: 1 });
  });

  it('takes the card back after the reaper, with the same token and attempt, and the event says so (Retasc: decided the other way)', async () => {
    const { queue, id } = await oneCard({ concurrency_limit: 1 });
    const held = await mustClaim(main, ada, queue);
    clock.advance(121_000);
    await reapNow();
    expect((await readJob(main, id))?.state).toBe('ready');
    await renew(main, ada, held);
    expect(await readJob(main, id)).toMatchObject({
      state: 'leased',
      agent: 'ada',
      attempt: 1,
      run: 1,
      op: 'resume',
    });
    expect((await readRun(main, id, 1))?.outcome).toBeUndefined();
    expect(await whyNothing(main, bob, queue)).toMatchObject({ reason: 'all_held' });
    expect((await complete(main, ada, held)).run).toMatchObject({ outcome: 'completed', late: false });
  });

  it('cannot outlive max_runtime: the token dies, the card is claimable, the attempt counted (hermes #29747)', async () => {
    const { queue } = await oneCard({ max_runtime_seconds: 300 });
    const held = await mustClaim(main, ada, queue);
    for (let beat = 0; beat < 7; beat += 1) {
      clock.advance(40_000);
      const { signals } = await renew(main, ada, held);
      expect(signals.wrap_up).toBe(beat === 6);
    }
    clock.advance(20_000);
    await expect(renew(main, ada, held)).rejects.toMatchObject({ extras: { reason: 'timed_out' } });
    await expect(complete(main, ada, held)).rejects.toMatchObject({ extras: { reason: 'timed_out' } });
    const next = await mustClaim(main, bob, queue);
    expect(next.attempt).toBe(2);
    await expect(complete(main, ada, held)).rejects.toMatchObject({
      extras: { reason: 'timed_out', run: { outcome: 'timed_out' } },
    });
  });

  it('counts a new lease from its claim, not from the run before (hermes #119155)', async () => {
    const { queue, id } = await oneCard({ max_runtime_seconds: 300 });
    const first = await mustClaim(main, ada, queue);
    await renew(main, ada, first, { note: 'mine', progress: 10 });
    clock.advance(250_000);
    const second = await mustClaim(main, bob, queue);
    expect(second.card.lease).toMatchObject({ heartbeat_at: null, note: null, progress: null });
    await reapNow();
    expect(await readJob(main, id)).toMatchObject({
      state: 'leased',
      agent: 'bob',
      max_at: clock.now() + 300_000,
    });
  });

  it('hands a checkpoint on to the next claimer', async () => {
    const { queue } = await oneCard();
    const held = await mustClaim(main, ada, queue);
    await renew(main, ada, held, { checkpoint: 'branch fix/1 is pushed' });
    clock.advance(121_000);
    const next = await mustClaim(main, bob, queue);
    expect(next.card.abandoned_by).toMatchObject({ agent: 'ada', checkpoint: 'branch fix/1 is pushed' });
  });
});

describe('fail and release', () => {
  it('waits out the backoff of its attempt with jitter that only adds, and is offered on time without the reaper', async () => {
    const { queue } = await oneCard({ backoff_seconds: [60, 300], backoff_jitter: 0.5 });
    for (const [attempt, step] of [60, 300, 300].entries()) {
      const held = await mustClaim(main, ada, queue);
      expect(held.attempt).toBe(attempt + 1);
      const failed = await fail(main, ada, held);
      const delay = Date.parse(failed.next_attempt_at ?? '') - clock.now();
      expect(delay).toBeGreaterThanOrEqual(step * 1_000);
      expect(delay).toBeLessThanOrEqual(step * 1_500);
      expect(failed.card).toMatchObject({ state: 'waiting', waiting_on: 'backoff' });
      clock.advance(delay - 1);
      expect(await whyNothing(main, ada, queue)).toMatchObject({ reason: 'all_waiting' });
      clock.advance(1);
    }
  });

  it('dead-letters after the last attempt, in place or in the failure column, and only once', async () => {
    const { queue } = await oneCard({ max_attempts: 1 });
    const held = await mustClaim(main, ada, queue);
    const failed = await fail(main, ada, held);
    expect(failed).toMatchObject({ dead_lettered: true, next_attempt_at: null, card: { state: 'dead' } });
    expect(failed.card.column_id).toBe(queue.column.column_id);
    expect(await fail(main, ada, held)).toEqual(failed);
    expect(await whyNothing(main, ada, queue)).toMatchObject({ reason: 'empty' });
  });

  it('dead-letters a card that kills its workers, without any fail call (hindsight #2675, hermes #111306)', async () => {
    const queue = await createQueue(world, { max_attempts: 3 });
    const failing = await createQueue(world, {
      max_attempts: 3,
      on_failure_column_id: queue.failed.column_id,
    });
    const [id = ''] = await seedCards(world, failing.column, 1);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect((await mustClaim(main, ada, failing)).attempt).toBe(attempt);
      clock.advance(121_000);
    }
    expect(await claimFrom(main, bob, failing)).toBeNull();
    const job = await readJob(main, id);
    expect(job).toMatchObject({ state: 'dead', column_id: queue.failed.column_id, attempt: 3 });
    expect(job?.ev.map((event) => event.type)).toEqual(['card.lease.expired', 'card.lease.deadlettered']);
    expect((await readRun(main, id, 3))?.outcome).toBe('expired');
  });

  it('released gives card and attempt back at once, twenty times and no more', async () => {
    const { queue, id } = await oneCard({ max_attempts: 2 });
    for (let at = 0; at < 20; at += 1) {
      const held = await mustClaim(main, ada, queue);
      expect(held).toMatchObject({ attempt: 1, fence: at + 1 });
      expect((await release(main, ada, held)).run).toMatchObject({ outcome: 'released', refunded: true });
    }
    expect((await release(main, ada, await mustClaim(main, ada, queue))).card).toMatchObject({
      state: 'ready',
      attempt: 1,
    });
    expect((await release(main, ada, await mustClaim(main, ada, queue))).card).toMatchObject({
      state: 'dead',
    });
    expect((await readJob(main, id))?.run).toBe(22);
  });

  it('rate limited spends no attempt, waits as long as it was told, and is bounded (hermes #114511)', async () => {
    const { queue } = await oneCard({ max_attempts: 2, backoff_jitter: 0.2 });
    const limited = { kind: 'rate_limited', retry_after_seconds: 5 };
    for (let at = 0; at < 20; at += 1) {
      const held = await mustClaim(main, ada, queue);
      const failed = await fail(main, ada, held, limited);
      expect(failed.card.attempt).toBe(0);
      const delay = Date.parse(failed.next_attempt_at ?? '') - clock.now();
      expect(delay).toBeGreaterThanOrEqual(5_000);
      clock.advance(delay);
    }
    const spent = await fail(main, ada, await mustClaim(main, ada, queue), limited);
    expect(spent.card.attempt).toBe(1);
    clock.advance(60_000);
    expect((await fail(main, ada, await mustClaim(main, ada, queue), limited)).dead_lettered).toBe(true);
  });

  it('of cards that failed together do not return together (hermes PR 61591, stacksjs #2298)', async () => {
    const queue = await createQueue(world, { backoff_seconds: [100], backoff_jitter: 0.5 });
    await seedCards(world, queue.column, 40);
    const times: number[] = [];
    const now = clock.now();
    for (let at = 0; at < 40; at += 1) {
      const { next_attempt_at } = await fail(main, ada, await mustClaim(main, ada, queue));
      times.push(Date.parse(next_attempt_at ?? '') - now);
    }
    expect(Math.min(...times)).toBeGreaterThanOrEqual(100_000);
    const buckets = Map.groupBy(times, (time) => Math.floor(time / 5_000));
    for (const bucket of buckets.values()) expect(bucket.length).toBeLessThanOrEqual(12);
  });
});

describe('the reaper', () => {
  it('requeues an expired card at once, marks who abandoned it, and closes the run (gascity #4387, saltbo #229)', async () => {
    const { queue, id } = await oneCard();
    await mustClaim(main, ada, queue);
    clock.advance(120_000);
    await reapNow();
    expect(await readJob(main, id)).toMatchObject({
      state: 'ready',
      attempt: 1,
      abandoned: { agent: 'ada', run: 1 },
    });
    expect(await readRun(main, id, 1)).toMatchObject({ outcome: 'expired', agent: 'ada' });
    expect((await mustClaim(main, bob, queue)).attempt).toBe(2);
  });

  it('twice at once expires each card once', async () => {
    const own = await createWorld();
    const queue = await createQueue(own);
    const ids = await seedCards(own, queue.column, 10);
    for (let at = 0; at < 10; at += 1) await mustClaim(own.main, ada, queue);
    own.clock.advance(121_000);
    const deadline = own.clock.now() + 50_000;
    const runs = await Promise.all([reap(own.main, deadline), reap(own.engine(), deadline)]);
    expect(runs.reduce((sum, run) => sum + run.expired, 0)).toBe(10);
    for (const id of ids) expect(await readJob(own.main, id)).toMatchObject({ state: 'ready', sequence: 3 });
  });
});
