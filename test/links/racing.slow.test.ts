import { describe, expect, it } from 'vitest';
import { isProblem } from '../../shared/errors.ts';
import { pendingParentsKey } from '../../shared/store/keys.ts';
import { readAll, readParents } from '../../shared/links/edges.ts';
import { pendingPut } from '../../shared/links/pending-parents.ts';
import { claimBatch } from '../../shared/verbs/claim-batch.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { inWidth } from '../../shared/width.ts';
import { jobOf, look, made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { seedCards } from '../support/seed.ts';
import { claimFrom, complete, mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { childOf, finish } from './support/links.ts';

const world = await createWorld({ sleep: 'real' });
const { main, admin, clock } = world;
const ada = world.agent('ada');
const FAN = 500;
const WIDTH = 16;

/** Within this many real milliseconds the work must be over, on a machine that others use too. */
const LONG_MS = 240_000;

const idle = async (desk: Desk, count: number) => seedCards(world, desk.queue.failed, count);
const ready = async (desk: Desk): Promise<number> => {
  const held = await main.store.query({
    index: 'lanes',
    pk: { name: 'lane', value: `${desk.ready.slice(4)}#00#R` },
    limit: 1_000,
  });
  return held.items.length;
};

describe('two links that would close a cycle between them', () => {
  it(
    'are never both made, however close they are: a hundred pairs, each of them won by one',
    async () => {
      const desk = await makeDesk(world);
      const cards = await idle(desk, 200);
      const pairs = Array.from(
        { length: 100 },
        (_, at) => [cards[2 * at] ?? '', cards[2 * at + 1] ?? ''] as const,
      );
      const outcomes = await inWidth(4, pairs, async ([one, two]) => {
        const race = await Promise.allSettled([
          linkCards(world.engine(), admin, { card: one, parent_id: two }, null),
          linkCards(world.engine(), admin, { card: two, parent_id: one }, null),
        ]);
        return race.map((side) => {
          if (side.status === 'fulfilled') return 'made';
          return isProblem(side.reason) ? side.reason.code : String(side.reason);
        });
      });
      const tally = Map.groupBy(outcomes, (pair) => [...pair].sort().join(' and '));
      expect([...tally].map(([what, all]) => [what, all.length])).toEqual([['conflict and made', 100]]);
    },
    LONG_MS,
  );
});

describe('two last parents', () => {
  it(
    'done at the same instant wake the child they share, once: fifty pairs, none forgotten',
    async () => {
      const desk = await makeDesk(world);
      const families = await inWidth(WIDTH, Array.from({ length: 50 }), async () => {
        const parents = [await made(world, desk), await made(world, desk)];
        return { parents, child: await childOf(world, desk, parents, { column_id: desk.review }) };
      });
      const held = await inWidth(WIDTH, Array.from({ length: 100 }), async () =>
        mustClaim(world.engine(), ada, desk.queue),
      );
      const byCard = new Map(held.map((lease) => [lease.card.id, lease]));
      for (const { parents, child } of families) {
        await Promise.all(
          parents.map(async ({ id }) => {
            const lease = byCard.get(id);
            if (lease !== undefined) await complete(world.engine(), ada, lease);
          }),
        );
        expect(await jobOf(world, child)).toMatchObject({ state: 'ready', sequence: 2 });
      }
    },
    LONG_MS,
  );
});

describe('a link made while its parent is being completed', () => {
  it(
    'never leaves the child waiting for it',
    async () => {
      const desk = await makeDesk(world);
      for (let round = 0; round < 40; round += 1) {
        await made(world, desk);
        const held = await mustClaim(world.engine(), ada, desk.queue);
        const [, child] = await Promise.all([
          complete(world.engine(), ada, held),
          childOf(world, desk, [held.card], { column_id: desk.review }),
        ]);
        expect([round, (await look(world, child)).state]).toEqual([round, 'ready']);
      }
    },
    LONG_MS,
  );
});

describe('a fan of five hundred', () => {
  it(
    'children of one parent: 25 are there for the next claim, the rest within the next claims',
    async () => {
      const desk = await makeDesk(world);
      const parent = await made(world, desk, { priority: 9 });
      await inWidth(WIDTH, Array.from({ length: FAN }), async () => childOf(world, desk, [parent]));
      expect((await look(world, parent)).counts.children).toBe(FAN);
      await complete(main, ada, await mustClaim(main, ada, desk.queue));
      expect(await ready(desk)).toBe(25);
      const began = clock.now();
      const seen = new Set<string>();
      for (let polls = 0; seen.size < FAN && polls < FAN; polls += 1) {
        const { value } = await claimBatch(
          world.engine(),
          ada,
          { board: desk.board.id, column: desk.ready, max: 10 },
          null,
        );
        for (const { card } of value.claims) seen.add(card.id);
      }
      expect(seen.size).toBe(FAN);
      expect(clock.now() - began).toBeLessThan(5_000);
      for (const id of [...seen].slice(0, 50)) {
        expect((await jobOf(world, { id })).ev.map(({ type }) => type)).toEqual(['card.lease.claimed']);
        expect((await jobOf(world, { id })).sequence).toBe(3);
      }
    },
    LONG_MS,
  );

  it(
    'children are all there after one run of the reaper, with nobody claiming',
    async () => {
      const desk = await makeDesk(world);
      const parent = await made(world, desk);
      await inWidth(WIDTH, Array.from({ length: 130 }), async () => childOf(world, desk, [parent]));
      await finish(world, desk, parent);
      expect(await ready(desk)).toBe(25);
      await reap(world.engine(), clock.now() + 50_000);
      expect(await ready(desk)).toBe(130);
      const { items } = await main.store.query({ pk: { name: 'pk', value: parent.id }, consistent: true });
      expect(items.filter(({ sk }) => String(sk).startsWith('TIMER#'))).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'children whose parent opens again leave the ready ones, the first 25 at once',
    async () => {
      const desk = await makeDesk(world);
      const parent = await made(world, desk);
      await finish(world, desk, parent);
      await inWidth(WIDTH, Array.from({ length: 60 }), async () => childOf(world, desk, [parent]));
      expect(await ready(desk)).toBe(60);
      await reopenCard(main, admin, { card: parent.id, column_id: desk.todo });
      expect(await ready(desk)).toBe(35);
      await reap(world.engine(), clock.now() + 50_000);
      expect(await ready(desk)).toBe(0);
      expect(await claimFrom(main, ada, desk.queue)).toBeNull();
    },
    LONG_MS,
  );

  it(
    'parents of one child, all completed side by side: it is promoted once, with one event',
    async () => {
      const desk = await makeDesk(world);
      const parents = await seedCards(world, desk.queue.column, FAN);
      const child = await childOf(
        world,
        desk,
        parents.map((id) => ({ id })),
      );
      expect(child).toMatchObject({ waiting_on: 'parents', counts: { parents_open: FAN } });
      expect(await main.store.get(pendingParentsKey(child.id))).toBeUndefined();
      const edges = await readAll((page) => readParents(main, child.id, page), 1_000);
      expect(edges.map(({ parent }) => parent)).toEqual([...parents].sort());
      const engine = world.engine();
      await inWidth(WIDTH, parents, async () => {
        await complete(engine, ada, await mustClaim(engine, ada, desk.queue));
      });
      expect(await jobOf(world, child)).toMatchObject({ state: 'ready', sequence: 2 });
      expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
    },
    LONG_MS,
  );

  it(
    'parents of a card whose creator died half way are finished by whoever meets its timer',
    async () => {
      const desk = await makeDesk(world);
      const parents = await idle(desk, 60);
      const child = await childOf(
        world,
        desk,
        parents.map((id) => ({ id })),
      );
      // As after a crash: the list is still there, and the edges are not.
      const edges = await readAll((page) => readParents(main, child.id, page), 1_000);
      for (const { parent } of edges) {
        await main.store.write({ kind: 'delete', key: { pk: child.id, sk: `PARENT#${parent}` } });
        await main.store.write({ kind: 'delete', key: { pk: parent, sk: `CHILD#${child.id}` } });
      }
      await main.store.write(pendingPut(await jobOf(world, child), parents, clock.now()));
      expect(await look(world, child)).toMatchObject({ counts: { parents_open: 60 } });
      clock.advance(10_000);
      expect(await claimFrom(main, ada, desk.queue)).toBeNull();
      expect((await readAll((page) => readParents(main, child.id, page), 1_000)).length).toBe(60);
      expect(await main.store.get(pendingParentsKey(child.id))).toBeUndefined();
      await inWidth(WIDTH, parents, async (id) => finish(world, desk, { id }));
      expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(child.id);
    },
    LONG_MS,
  );
});
