import { describe, expect, it } from 'vitest';
import { isReady, readLane } from '../../shared/claim/lanes.ts';
import { readJob } from '../../shared/jobs.ts';
import { LANES_INDEX } from '../../shared/store/table.ts';
import { laneOf, shardIn, shardOf } from '../../shared/store/keys.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { getDiagnostics } from '../../shared/verbs/get-diagnostics.ts';
import { getFrontier } from '../../shared/verbs/get-frontier.ts';
import { listCards } from '../../shared/verbs/list-cards.ts';
import { listLeases } from '../../shared/verbs/list-leases.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, fail, mustClaim, release, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const world = await createWorld();
const { main, admin } = world;
const ada = world.agent('ada');
const stored = async (id: string) => (await readJob(main, id)) ?? {};
const shardFor = async (id: string): Promise<number> => shardIn((await readJob(main, id))?.lane);

const makeCards = async (desk: Desk, count: number, job: (at: number) => object = () => ({})) =>
  seedCards(world, desk.queue.column, count, job);

async function standingIn(desk: Desk, kind: 'R' | 'T' | 'P', shard: number): Promise<number> {
  const pk = { name: 'lane', value: laneOf(desk.ready, kind, shard) };
  return (await main.store.query({ index: LANES_INDEX, pk })).items.length;
}

describe('a column with four shards', () => {
  it('spreads what is ready and what is held by a hash of the id, and nothing that is parked', async () => {
    const desk = await makeDesk(world, { shards: 4, on_success_column_id: null, backoff_seconds: [60] });
    const ids = await makeCards(desk, 20);
    for (let at = 0; at < 4; at += 1) ids.push((await made(world, desk)).id);
    for (const id of ids) {
      const lane = laneOf(desk.ready, 'R', shardOf(id, 4));
      expect(await stored(id)).toMatchObject({ lane });
    }
    const ready = await Promise.all([0, 1, 2, 3].map(async (shard) => standingIn(desk, 'R', shard)));
    expect(Math.min(...ready)).toBeGreaterThan(0);
    const { value } = await claimBatch(
      main,
      ada,
      { board: desk.board.id, column: desk.ready, max: 10 },
      null,
    );
    for (const { card } of value.claims) {
      expect(await stored(card.id)).toMatchObject({ lane: laneOf(desk.ready, 'T', shardOf(card.id, 4)) });
    }
    const [first, second, third] = value.claims;
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few');
    await fail(main, ada, first);
    await release(main, ada, second);
    await complete(main, ada, third);
    const shard = (id: string) => shardOf(id, 4);
    expect(await stored(first.card.id)).toMatchObject({
      lane: laneOf(desk.ready, 'T', shard(first.card.id)),
    });
    expect(await stored(second.card.id)).toMatchObject({
      lane: laneOf(desk.ready, 'R', shard(second.card.id)),
    });
    expect(await stored(third.card.id)).toMatchObject({ lane: laneOf(desk.ready, 'P') });
  });

  it('gives every card once, those in shards that a claim did not look at first included', async () => {
    const desk = await makeDesk(world, { shards: 16 });
    const ids = await makeCards(desk, 5);
    const given = [];
    for (let at = 0; at < ids.length; at += 1) {
      given.push((await mustClaim(world.engine(), ada, desk.queue)).card.id);
    }
    expect(given.toSorted()).toEqual(ids.toSorted());
    expect(await whyNothing(main, ada, desk.queue)).toMatchObject({ reason: 'all_held' });
  });

  it('gives a batch as many as there are, from all of them', async () => {
    const desk = await makeDesk(world, { shards: 16 });
    const ids = await makeCards(desk, 8);
    const { value } = await claimBatch(main, ada, { board: desk.board.id, column: desk.ready, max: 8 }, null);
    expect(value.claims.map(({ card }) => card.id).toSorted()).toEqual(ids.toSorted());
  });

  it('offers an expired lease again, and what was due, without the reaper', async () => {
    const desk = await makeDesk(world, { shards: 8, backoff_seconds: [10], backoff_jitter: 0 });
    await makeCards(desk, 3);
    const held = await mustClaim(main, ada, desk.queue);
    await fail(main, ada, await mustClaim(main, ada, desk.queue));
    await mustClaim(main, ada, desk.queue);
    expect(await whyNothing(main, ada, desk.queue)).toMatchObject({ reason: 'all_waiting' });
    world.clock.advance(121_000);
    const bob = world.agent('bob');
    const again = [];
    for (let at = 0; at < 3; at += 1) again.push(await mustClaim(world.engine(), bob, desk.queue));
    expect(again.map(({ card }) => card.id)).toContain(held.card.id);
    expect(again.map(({ attempt }) => attempt)).toEqual([2, 2, 2]);
    expect(await claimFrom(main, ada, desk.queue)).toBeNull();
  });

  it('lets the reaper find what is due in all of them', async () => {
    const desk = await makeDesk(world, { shards: 8 });
    await makeCards(desk, 6);
    for (let at = 0; at < 6; at += 1) await mustClaim(main, ada, desk.queue);
    world.clock.advance(121_000);
    const { expired } = await reap(main, Number.MAX_SAFE_INTEGER);
    expect(expired).toBeGreaterThanOrEqual(6);
    const { entries } = await readLane(main, desk.ready, 'R', { limit: 100 });
    expect(entries.filter(isReady)).toHaveLength(6);
  });

  it('lists its cards in claim order over all of them, page by page', async () => {
    const desk = await makeDesk(world, { shards: 4 });
    const ids = await makeCards(desk, 30, (at) => ({ priority: at % 3 === 0 ? 9 : 5 }));
    const wanted = [...ids.filter((_, at) => at % 3 === 0), ...ids.filter((_, at) => at % 3 !== 0)];
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listCards(main, admin, {
        board: desk.board.id,
        column: desk.ready,
        sort: 'priority',
        archived: false,
        limit: 7,
        ...(cursor === undefined ? {} : { cursor }),
      });
      listed.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(listed).toEqual(wanted);
  });

  it('shows leases by their deadlines, the frontier and diagnostics from all of them', async () => {
    const desk = await makeDesk(world, { shards: 4, max_attempts: 1 });
    await makeCards(desk, 12);
    const held: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      world.clock.advance(1_000);
      held.push((await mustClaim(main, ada, desk.queue)).card.id);
    }
    const leases: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listLeases(main, admin, {
        board: desk.board.id,
        column: desk.ready,
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      leases.push(...page.items.map(({ card_id }) => card_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(leases).toEqual(held);
    const frontier = await getFrontier(main, ada, { board: desk.board.id, column: desk.ready, agent: 'ada' });
    expect(frontier).toMatchObject({ ready: 6 });
    const stats = await getDiagnostics(main, admin, { board: desk.board.id, limit: 100 });
    expect(stats.items.every(({ card_id }) => typeof card_id === 'string')).toBe(true);
  });

  it('puts a card beside another wherever the two are kept, and at the top of all', async () => {
    const desk = await makeDesk(world, { shards: 8 });
    const [a, b, c, d] = await makeCards(desk, 4);
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('too few');
    await moveCard(main, admin, { card: d, before: b });
    await moveCard(main, admin, { card: c, top: true });
    const order = async () => {
      const query = { board: desk.board.id, column: desk.ready, sort: 'priority' as const };
      const { items } = await listCards(main, admin, { ...query, archived: false, limit: 10 });
      return items.map(({ id }) => id);
    };
    expect(await order()).toEqual([c, a, d, b]);
    for (let at = 0; at < 6; at += 1) {
      await moveCard(main, admin, { card: at % 2 === 0 ? b : d, after: a });
    }
    expect(await order()).toEqual([c, a, d, b]);
    expect(new Set(await Promise.all([a, b, c, d].map(shardFor))).size).toBeGreaterThan(1);
  });
});

it('a column without shards has the keys that it always had', async () => {
  const desk = await makeDesk(world);
  const [id = ''] = await makeCards(desk, 1);
  const ulid = desk.ready.slice(4);
  expect(await stored(id)).toMatchObject({ lane: `${ulid}#00#R` });
  const held = await mustClaim(main, ada, desk.queue);
  expect(await stored(id)).toMatchObject({ lane: `${ulid}#00#T` });
  await complete(main, ada, held);
  expect(await stored(id)).toMatchObject({ lane: `${desk.done.slice(4)}#00#P` });
});

it('a card’s shard is as good as even, and a doubling moves half of them', () => {
  const ids = Array.from({ length: 8_000 }, (_, at) => `crd_01KBD${String(at * 7_919).padStart(21, '0')}`);
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(shardOf(id, 64), (counts.get(shardOf(id, 64)) ?? 0) + 1);
  expect(counts.size).toBe(64);
  expect(Math.max(...counts.values()) / (ids.length / 64)).toBeLessThan(1.5);
  const moved = ids.filter((id) => shardOf(id, 8) !== shardOf(id, 4)).length / ids.length;
  expect(moved).toBeGreaterThan(0.4);
  expect(moved).toBeLessThan(0.6);
  expect(ids.every((id) => shardOf(id, 1) === 0)).toBe(true);
});
