import { describe, expect, it } from 'vitest';
import { readJob } from '../../shared/jobs.ts';
import { createQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, mustClaim, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { main } = world;
const ada = world.agent('ada');

describe('claim next', () => {
  it('leases the oldest card, counts the attempt, and gives the whole card with its token', async () => {
    const queue = await createQueue(world);
    const [first, second] = await seedCards(world, queue.column, 2);
    const held = await mustClaim(main, ada, queue);
    expect(held.card).toMatchObject({ id: first, state: 'leased', attempt: 1, fence: 1, rev: 1 });
    expect(held.card.body).toHaveLength(4_096);
    expect(held).toMatchObject({ attempt: 1, max_attempts: 5, renew_after_seconds: 40 });
    expect(Date.parse(held.expires_at) - Date.parse(held.server_time)).toBe(120_000);
    expect(held.card.lease).toMatchObject({ agent: 'ada', attempt: 1, expired: false });
    expect((await readJob(main, second ?? ''))?.state).toBe('ready');
  });

  it('takes higher priority first and keeps board order within a priority', async () => {
    const queue = await createQueue(world);
    const ids = await seedCards(world, queue.column, 4, (at) => ({ priority: at === 2 ? 9 : 5 }));
    const taken: string[] = [];
    for (let at = 0; at < 4; at += 1) taken.push((await mustClaim(main, ada, queue)).card.id);
    expect(taken).toEqual([ids[2], ids[0], ids[1], ids[3]]);
  });

  it('offers an assigned card to its assignee only, and says so to others', async () => {
    const queue = await createQueue(world);
    const [id] = await seedCards(world, queue.column, 1, () => ({ assignee: 'bob#1/%' }));
    expect(await whyNothing(main, ada, queue)).toMatchObject({ reason: 'not_yours' });
    expect(await whyNothing(main, world.person('anonymous'), queue)).toMatchObject({ reason: 'not_yours' });
    expect((await mustClaim(main, world.agent('bob#1/%'), queue)).card.id).toBe(id);
  });

  it('answers an empty queue with a reason and a hint that doubles, never an error (MCP spec #1955)', async () => {
    const queue = await createQueue(world);
    const engine = world.engine();
    const hints: number[] = [];
    for (let at = 0; at < 7; at += 1) {
      const nothing = await whyNothing(engine, ada, queue);
      expect(nothing).toMatchObject({ reason: 'empty', lease_id: null, lease_token: null });
      hints.push(nothing.retry_after_seconds);
    }
    for (const [at, hint] of hints.entries()) {
      const base = Math.min(30, 2 ** at);
      expect(hint).toBeGreaterThanOrEqual(base * 0.8);
      expect(hint).toBeLessThanOrEqual(base * 1.2);
    }
  });

  it('does not offer a scheduled card before its time, tells when, and then offers it without the reaper', async () => {
    const queue = await createQueue(world);
    const due = world.clock.now() + 60_000;
    await seedCards(world, queue.column, 1, () => ({ scheduled_at: due }));
    expect(await whyNothing(main, ada, queue)).toMatchObject({
      reason: 'all_waiting',
      next_available_at: new Date(due).toISOString(),
    });
    world.clock.advance(59_000);
    expect(await claimFrom(main, ada, queue)).toBeNull();
    world.clock.advance(1_000);
    expect((await mustClaim(main, ada, queue)).attempt).toBe(1);
  });

  it('passes by held, drafted and corrupt cards at the head', async () => {
    const queue = await createQueue(world);
    const ids = await seedCards(world, queue.column, 4, (at) =>
      at === 0 ? { hold: true } : at === 1 ? { draft: true } : {},
    );
    await main.store.write({
      kind: 'update',
      key: { pk: ids[2] ?? '', sk: 'JOB' },
      set: { attempt: 'many' },
      remove: [],
    });
    expect((await mustClaim(world.engine(), ada, queue)).card.id).toBe(ids[3]);
    expect(await claimFrom(world.engine(), ada, queue)).toBeNull();
  });

  it('keeps whoever worked in the stage before from reviewing their own work', async () => {
    const queue = await createQueue(world, { exclude_previous_holder: true });
    await seedCards(world, queue.column, 1, () => ({ prev_agent: 'ada' }));
    expect(await whyNothing(main, ada, queue)).toMatchObject({ reason: 'not_yours' });
    expect(await claimFrom(main, world.agent('bob'), queue)).not.toBeNull();
  });

  it('filters by tenant, labels and skills; [] of skills takes only what needs none (claude-code #93668)', async () => {
    const queue = await createQueue(world);
    const [plain, gpu] = await seedCards(world, queue.column, 2, (at) =>
      at === 1 ? { skills: ['gpu'], tenant: 'acme', labels: ['big'] } : {},
    );
    expect(await claimFrom(main, ada, queue, { tenant: 'other' })).toBeNull();
    expect((await mustClaim(main, ada, queue, { skills: ['gpu'], tenant: 'acme' })).card.id).toBe(gpu);
    expect((await mustClaim(main, ada, queue, { skills: [] })).card.id).toBe(plain);
    expect(await whyNothing(main, ada, queue, { labels: ['big'] })).toMatchObject({ reason: 'all_held' });
  });

  it('refuses nothing silently: a paused column and a plain one say what they are', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 1);
    const plain = { ...queue, column: queue.failed };
    await expect(claimFrom(main, ada, plain)).rejects.toMatchObject({ code: 'contract_disabled' });
  });
});

describe('fifty claimers at once', () => {
  it('give one card to exactly one of them (beads #5998, #4657, #3575, #3570)', async () => {
    const racing = await createWorld({ table: world.table, sleep: 'real' });
    const queue = await createQueue(racing);
    const [id] = await seedCards(racing, queue.column, 1);
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, at) => claimFrom(racing.engine(), racing.agent(`w${at}`), queue)),
    );
    expect(claims.filter((held) => held !== null)).toHaveLength(1);
    const job = await readJob(main, id ?? '');
    expect(job).toMatchObject({ state: 'leased', attempt: 1, run: 1, sequence: 2 });
    expect(job?.ev.map((event) => event.type)).toEqual(['card.lease.claimed']);
  });

  it('share thirty cards without a duplicate, and each completes once', async () => {
    const racing = await createWorld({ table: world.table, sleep: 'real' });
    const queue = await createQueue(racing);
    const ids = await seedCards(racing, queue.column, 30);
    const claims = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const engine = racing.engine();
        const held = await claimFrom(engine, racing.agent(`w${at}`), queue);
        if (held !== null) await complete(engine, racing.agent(`w${at}`), held);
        return held;
      }),
    );
    const won = claims.filter((held) => held !== null).map((held) => held.card.id);
    expect(new Set(won)).toEqual(new Set(ids));
    expect(won).toHaveLength(30);
  });
});
