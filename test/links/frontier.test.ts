import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../shared/engine.ts';
import { isProblem } from '../../shared/errors.ts';
import { getFrontier } from '../../shared/verbs/get-frontier.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { listLinks } from '../../shared/verbs/list-links.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { pauseColumn } from '../../shared/verbs/pause-column.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import type { ClaimView } from '../../shared/views/claim.ts';
import { at } from '../boards/support/board.ts';
import { made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { claimFrom, complete, fail, mustClaim, release, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { childOf, finish } from './support/links.ts';

const world = await createWorld();
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const LONG_MS = 240_000;

const frontier = async (desk: Desk, caller: Caller, more: object = {}) =>
  getFrontier(world.engine(), caller, { board: desk.board.id, column: desk.ready, ...more });
const ids = (view: { items: readonly { id: string }[] }) => view.items.map(({ id }) => id);

describe('the frontier', () => {
  it('is what one may take right now: not what is held, assigned to others, waiting, or a container', async () => {
    const desk = await makeDesk(world);
    const held = await made(world, desk, { priority: 9 });
    await mustClaim(main, bob, desk.queue);
    const parent = await made(world, desk, { priority: 3 });
    const own = await made(world, desk, { assignee: 'ada' });
    await made(world, desk, { assignee: 'bob' });
    await childOf(world, desk, [parent]);
    await made(world, desk, { hold: true });
    await made(world, desk, { draft: true });
    await made(world, desk, { container: true });
    await made(world, desk, { scheduled_at: new Date(clock.now() + 60_000).toISOString() });
    const view = await frontier(desk, ada);
    expect(ids(view)).toEqual([own.id, parent.id]);
    expect(view).toMatchObject({ reason: null, ready: 2, active: 1, narrow: false });
    expect(ids(await frontier(desk, admin))).toEqual([parent.id]);
    expect(ids(await frontier(desk, admin, { agent: 'bob' }))).toHaveLength(2);
    clock.advance(121_000);
    expect(ids(await frontier(desk, ada))).toContain(held.id);
  });

  it('tells that the plan is too coarse when fewer cards are ready than agents are active', async () => {
    const desk = await makeDesk(world);
    for (let card = 0; card < 4; card += 1) await made(world, desk);
    for (const name of ['ada', 'bob', 'eve']) await mustClaim(main, world.agent(name), desk.queue);
    await made(world, desk, { column_id: desk.review });
    const whole = await getFrontier(main, ada, { board: desk.board.id });
    expect(whole).toMatchObject({ ready: 2, active: 3, narrow: true, reason: null });
    expect(whole.by_column).toEqual({
      [desk.ready]: { ready: 1, active: 3, narrow: true, reason: null },
      [desk.review]: { ready: 1, active: 0, narrow: false, reason: null },
    });
  });

  it.each([
    ['empty', async () => undefined],
    [
      'all_held',
      async (desk: Desk): Promise<void> => void (await claimFrom(main, bob, await withCard(desk))),
    ],
    ['all_blocked', async (desk: Desk): Promise<void> => void (await made(world, desk, { hold: true }))],
    ['all_waiting', async (desk: Desk): Promise<void> => void (await fail(main, bob, await held(desk)))],
    [
      'containers_only',
      async (desk: Desk): Promise<void> => void (await made(world, desk, { container: true })),
    ],
    ['not_yours', async (desk: Desk): Promise<void> => void (await made(world, desk, { assignee: 'bob' }))],
    ['paused', async (desk: Desk): Promise<void> => paused(desk)],
  ] as const)('says why it is empty as a claim does: %s', async (reason, arrange) => {
    const desk = await makeDesk(world);
    await arrange(desk);
    expect(await frontier(desk, ada)).toMatchObject({ items: [], ready: 0, reason });
    expect((await whyNothing(world.engine(), ada, desk.queue)).reason).toBe(reason);
  });

  it('is empty at the limit of its column, and says so', async () => {
    const desk = await makeDesk(world, { concurrency_limit: 1 });
    clock.advance(10_000);
    const queue = await withCard(desk);
    await made(world, desk);
    // Whoever claims first finds that the limit, though new, has no leases left to count.
    expect((await frontier(desk, ada)).ready).toBe(2);
    const lease = await mustClaim(main, bob, queue);
    expect(await frontier(desk, ada)).toMatchObject({ items: [], reason: 'concurrency_limit', active: 1 });
    await release(main, bob, lease);
    expect((await frontier(desk, ada)).ready).toBe(2);
  });

  it('of a board passes over what is paused while other columns have something to say', async () => {
    const desk = await makeDesk(world);
    await made(world, desk, { column_id: desk.review, hold: true });
    await made(world, desk);
    await paused(desk);
    const view = await getFrontier(world.engine(), ada, { board: desk.board.id });
    expect([view.reason, view.by_column[desk.ready]?.reason]).toEqual(['all_blocked', 'paused']);
  });

  it(
    'is the very set that claims then give out, whatever happened before',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 4, maxLength: 24 }),
          fc.array(abandoned, { maxLength: 2 }),
          async (steps, ends) => {
            const desk = await makeDesk(world, {
              max_attempts: 2,
              backoff_seconds: [30],
              backoff_jitter: 0,
              lease_ttl_seconds: 60,
            });
            const story: Story = { desk, cards: [], leases: [] };
            for (let plain = 0; plain < 3; plain += 1) story.cards.push((await made(world, desk)).id);
            for (const take of [...steps, ...ends]) await allowed(take(story));
            for (const caller of [ada, world.person('somebody'), bob]) {
              const { items, reason } = await frontier(desk, caller);
              if (items.length === 0)
                expect((await whyNothing(world.engine(), caller, desk.queue)).reason).toBe(reason);
              expect(await drained(desk, caller)).toEqual(items.map(({ id }) => id).sort());
            }
          },
        ),
        { numRuns: 40, seed: 7 },
      );
    },
    LONG_MS,
  );
});

const withCard = async (desk: Desk) => {
  await made(world, desk);
  return desk.queue;
};
const held = async (desk: Desk) => mustClaim(main, bob, await withCard(desk));
const paused = async (desk: Desk) => {
  await made(world, desk);
  await pauseColumn(main, admin, at(desk.board, 'Ready'));
};

async function drained(desk: Desk, caller: Caller): Promise<string[]> {
  const given: string[] = [];
  for (;;) {
    const lease = await claimFrom(world.engine(), caller, desk.queue);
    if (lease === null) return given.sort();
    given.push(lease.card.id);
  }
}

interface Story {
  readonly desk: Desk;
  readonly cards: string[];
  readonly leases: { readonly caller: Caller; readonly lease: ClaimView }[];
}
type Step = (story: Story) => Promise<unknown>;

/** A refusal is a story too: what the state forbids did not happen. */
async function allowed(step: Promise<unknown>): Promise<void> {
  await step.catch((error: unknown) => {
    if (!isProblem(error)) throw error;
  });
}

const agent = fc.constantFrom(ada, bob);
const pickOf = (list: readonly string[], place: number) => ({
  id: list[place % Math.max(1, list.length)] ?? 'crd_none',
});
const place = fc.nat(30);

const creation = fc
  .record({
    priority: fc.integer({ min: 4, max: 6 }),
    assignee: fc.constantFrom(null, null, 'ada', 'bob'),
    hold: fc.constantFrom(false, false, false, true),
    container: fc.constantFrom(false, false, false, true),
    later: fc.constantFrom(false, false, false, true),
    parents: fc.array(place, { maxLength: 2 }),
    inside: fc.option(place, { freq: 3 }),
  })
  .map(({ later, parents, inside, ...body }): Step => async ({ desk, cards }) => {
    const above = cards.length === 0 ? [] : [...new Set(parents.map((at) => pickOf(cards, at).id))];
    const card = await made(world, desk, {
      ...body,
      parents: above,
      ...(inside === null || cards.length === 0 ? {} : { container_id: pickOf(cards, inside).id }),
      ...(later ? { scheduled_at: new Date(clock.now() + 45_000).toISOString() } : {}),
    });
    cards.push(card.id);
  });
const claimed = agent.map((caller): Step => async ({ desk, leases }) => {
  const lease = await claimFrom(world.engine(), caller, desk.queue);
  if (lease !== null) leases.push({ caller, lease });
});
const ended = fc
  .tuple(place, fc.constantFrom(complete, complete, fail, release))
  .map(([at, end]): Step => async ({ leases }) => {
    const [one] = leases.splice(at % Math.max(1, leases.length), 1);
    if (one !== undefined) await end(main, one.caller, one.lease);
  });
/** A worker that goes quiet: its card may have been put on hold, or wait for a parent, by the time its lease is over. */
const abandoned = fc
  .tuple(agent, fc.constantFrom('nothing', 'hold', 'parent'))
  .map(([caller, meanwhile]): Step => async ({ desk }) => {
    const lease = await claimFrom(world.engine(), caller, desk.queue);
    if (lease === null) return;
    const { id: card } = lease.card;
    if (meanwhile === 'hold') await patchCard(main, admin, { card, hold: true });
    const [parent] = (await listLinks(main, admin, { card })).parents;
    if (meanwhile === 'parent' && parent !== undefined) {
      await allowed(reopenCard(main, admin, { card: parent.id, column_id: desk.todo }));
    }
    clock.advance(62_000);
  });
/** No deadline of these stories lies within a second of such a step. */
const passing = fc.integer({ min: 1, max: 2 }).map(
  (times): Step =>
    async () =>
      clock.advance(times * 31_000),
);
const linked = fc.tuple(place, place).map(
  ([parent, child]): Step =>
    async ({ cards }) =>
      linkCards(main, admin, { card: pickOf(cards, child).id, parent_id: pickOf(cards, parent).id }, null),
);
const handled = fc
  .tuple(place, fc.constantFrom('hold', 'unhold', 'finish', 'reopen', 'back'))
  .map(([which, what]): Step => async ({ desk, cards }) => {
    const card = pickOf(cards, which);
    if (what === 'finish') return finish(world, desk, card);
    if (what === 'reopen') return reopenCard(main, admin, { card: card.id, column_id: desk.ready });
    if (what === 'back') return moveCard(main, admin, { card: card.id, column_id: desk.ready });
    return patchCard(main, admin, { card: card.id, hold: what === 'hold' });
  });
const step = fc.oneof(
  { weight: 5, arbitrary: creation },
  { weight: 3, arbitrary: claimed },
  { weight: 3, arbitrary: ended },
  { weight: 3, arbitrary: abandoned },
  { weight: 1, arbitrary: passing },
  { weight: 2, arbitrary: linked },
  { weight: 2, arbitrary: handled },
);
