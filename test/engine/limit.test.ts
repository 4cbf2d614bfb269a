import { describe, expect, it } from 'vitest';
import { isTimed, readLane } from '../../shared/claim/lanes.ts';
import { readSlots } from '../../shared/claim/slots.ts';
import { JobSchema } from '../../shared/store/items.ts';
import { jobKey } from '../../shared/store/keys.ts';
import type { ContractSettings } from '../../shared/contract/settings.ts';
import { getDiagnostics } from '../../shared/verbs/get-diagnostics.ts';
import { getFrontier } from '../../shared/verbs/get-frontier.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { createQueue, putColumn, type TestQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, fail, mustClaim, release, whyNothing } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';

const world = await createWorld();
const ada = world.agent('ada');

async function setLimit(
  of: World,
  queue: TestQueue,
  limit: number | null,
  adoptingAt?: number,
): Promise<void> {
  const contract: Partial<ContractSettings> = {
    enabled: true,
    on_success_column_id: queue.done.column_id,
    concurrency_limit: limit,
  };
  await putColumn(of, queue.board, 'Ready', 'work', contract, {
    pk: queue.column.column_id,
    ...(adoptingAt === undefined ? {} : { adopting_at: adoptingAt }),
  });
  of.clock.advance(2_000);
}

/** Leases of the column that live at this moment, counted on the table and not on any counter. */
async function live(of: World, queue: TestQueue): Promise<number> {
  const { entries } = await readLane(of.main, queue.column.column_id, 'T', { limit: 1_000 });
  const items = await of.main.store.batchGet(entries.filter(isTimed).map((entry) => jobKey(entry.pk)));
  const jobs = items.map((item) => JobSchema.parse(item));
  return jobs.filter((job) => job.state === 'leased' && (job.expires_at ?? 0) > of.clock.now()).length;
}

describe('a concurrency limit', () => {
  it('admits exactly as many as it says, and completing makes room at once (solid_queue #761)', async () => {
    const queue = await createQueue(world, { concurrency_limit: 2 });
    await seedCards(world, queue.column, 4);
    const first = await mustClaim(world.main, ada, queue);
    await mustClaim(world.main, ada, queue);
    expect(await whyNothing(world.engine(), ada, queue)).toMatchObject({ reason: 'concurrency_limit' });
    await complete(world.main, ada, first);
    await complete(world.main, ada, first);
    expect(await claimFrom(world.engine(), ada, queue)).not.toBeNull();
    expect(await whyNothing(world.main, ada, queue)).toMatchObject({ reason: 'concurrency_limit' });
  });

  it('comes back from a worker that crashed, with the reaper off (multica #4336, #8529)', async () => {
    const queue = await createQueue(world, { concurrency_limit: 1 });
    await seedCards(world, queue.column, 1);
    await mustClaim(world.main, ada, queue);
    world.clock.advance(121_000);
    expect((await mustClaim(world.engine(), world.agent('bob'), queue)).attempt).toBe(2);
    expect(await live(world, queue)).toBe(1);
  });

  it('comes back to another card when the crashed one may not be taken', async () => {
    const queue = await createQueue(world, { concurrency_limit: 1, max_attempts: 1 });
    const [, second] = await seedCards(world, queue.column, 2);
    await mustClaim(world.main, ada, queue);
    world.clock.advance(121_000);
    expect((await mustClaim(world.main, ada, queue)).card.id).toBe(second);
    expect(await live(world, queue)).toBe(1);
  });

  it('holds against sixty-four claimers at once, with completions, failures and releases in between', async () => {
    const own = await createWorld({ sleep: 'real' });
    const queue = await createQueue(own, { concurrency_limit: 7, backoff_seconds: [0] });
    await seedCards(own, queue.column, 120);
    let most = 0;
    let working = 64;
    const watch = async () => {
      while (working > 0) most = Math.max(most, await live(own, queue));
    };
    const work = async (at: number) => {
      const engine = own.engine();
      const agent = own.agent(`w${at}`);
      for (let round = 0; round < 3; round += 1) {
        const held = await claimFrom(engine, agent, queue);
        if (held !== null) await [complete, fail, release, complete][at % 4]?.(engine, agent, held);
      }
      working -= 1;
    };
    await Promise.all([watch(), ...Array.from({ length: 64 }, (_, at) => work(at))]);
    expect(most).toBeLessThanOrEqual(7);
    expect(most).toBeGreaterThanOrEqual(4);
    expect(await live(own, queue)).toBe(0);
    for (let at = 0; at < 7; at += 1) await mustClaim(own.engine(), ada, queue);
    expect(await claimFrom(own.engine(), ada, queue)).toBeNull();
  }, 90_000);

  it('lowered while leases live admits nobody until fewer live than it says (hermes #81381)', async () => {
    const queue = await createQueue(world, { concurrency_limit: 5 });
    await seedCards(world, queue.column, 10);
    const held = [];
    for (let at = 0; at < 5; at += 1) held.push(await mustClaim(world.main, ada, queue));
    await setLimit(world, queue, 2);
    for (const [at, lease] of held.entries()) {
      const left = 5 - at;
      expect(await live(world, queue)).toBe(left);
      if (left >= 2) expect(await claimFrom(world.engine(), ada, queue)).toBeNull();
      await complete(world.main, ada, lease);
      if (left - 1 === 1) {
        await mustClaim(world.engine(), ada, queue);
        expect(await live(world, queue)).toBe(2);
        break;
      }
    }
    expect(await claimFrom(world.engine(), ada, queue)).toBeNull();
  });

  it('lowered is not got around by superseding an expired lease', async () => {
    const queue = await createQueue(world, { concurrency_limit: 3 });
    await seedCards(world, queue.column, 3);
    await mustClaim(world.main, ada, queue, { lease_ttl_seconds: 10 });
    await mustClaim(world.main, ada, queue);
    await mustClaim(world.main, ada, queue);
    await setLimit(world, queue, 2);
    world.clock.advance(20_000);
    expect(await live(world, queue)).toBe(2);
    expect(await claimFrom(world.engine(), ada, queue)).toBeNull();
    expect(await live(world, queue)).toBe(2);
  });

  it('set while leases live without slots counts them before it admits one more', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 12);
    const held = [];
    for (let at = 0; at < 7; at += 1) held.push(await mustClaim(world.main, ada, queue));
    await setLimit(world, queue, 3, world.clock.now());
    for (let at = 0; at < 8; at += 1) {
      expect(await claimFrom(world.engine(), ada, queue)).toBeNull();
      world.clock.advance(2_000);
    }
    for (const lease of held.slice(0, 4)) await complete(world.main, ada, lease);
    expect(await claimFrom(world.engine(), ada, queue)).toBeNull();
    await complete(world.main, ada, held[4] ?? { lease_id: '', lease_token: '' });
    await mustClaim(world.engine(), ada, queue);
    expect(await claimFrom(world.engine(), ada, queue)).toBeNull();
    expect(await live(world, queue)).toBe(3);
  });

  it('recovers when every slot is left behind, by claims alone and by the reaper (trigger.dev #4540)', async () => {
    const queue = await createQueue(world, { concurrency_limit: 2 });
    await seedCards(world, queue.column, 6);
    for (let at = 0; at < 2; at += 1) {
      await world.main.store.write({
        kind: 'put',
        item: {
          pk: `SLOT#${queue.column.column_id}`,
          sk: `0000${at}`,
          v: 1,
          card_id: 'crd_gone',
          take: `leak${at}`,
        },
      });
    }
    const held = await mustClaim(world.engine(), ada, queue);
    await complete(world.main, ada, held);
    expect((await reap(world.main, world.clock.now() + 50_000)).slots_freed).toBeGreaterThanOrEqual(1);
    expect(await readSlots(world.main, { kind: 'column', scope: queue.column.column_id })).toHaveLength(0);
  });

  it('stays good when a held card cannot be read: its place stays taken, and claims, frontier and reaper go on', async () => {
    const queue = await createQueue(world, { concurrency_limit: 2 });
    await seedCards(world, queue.column, 4);
    const lost = await mustClaim(world.main, ada, queue);
    const held = await mustClaim(world.main, ada, queue);
    await world.main.store.write({ kind: 'update', key: jobKey(lost.card.id), set: { rank: 5 }, remove: [] });
    const full = async () => (await whyNothing(world.engine(), ada, queue)).reason;
    const frontier = async () =>
      getFrontier(world.engine(), ada, { board: queue.board, column: queue.column.column_id });
    expect(await full()).toBe('concurrency_limit');
    expect((await frontier()).reason).toBe('concurrency_limit');
    const { items } = await getDiagnostics(world.engine(), world.admin, { board: queue.board, limit: 100 });
    expect(items.map(({ code }) => code).toSorted()).toEqual([
      'column_full',
      'column_full',
      'corrupt',
      'held',
    ]);
    await reap(world.engine(), world.clock.now() + 50_000);
    expect(await full()).toBe('concurrency_limit');
    await complete(world.main, ada, held);
    await mustClaim(world.engine(), ada, queue);
    expect(await full()).toBe('concurrency_limit');
    // Lowered, it admits nobody while it cannot tell whether that one is still at work.
    await setLimit(world, queue, 1);
    expect(await full()).toBe('concurrency_limit');
  });
});
