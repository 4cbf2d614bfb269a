import { expect, it } from 'vitest';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { requestCancel } from '../../shared/verbs/request-cancel.ts';
import { jobOf, made } from '../cards/support/cards.ts';
import { itemBytes } from '../cards/support/worst-card.ts';
import { REFERENCE_CARD } from '../bench/support/reference-card.ts';
import { mustClaim, renew } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { claimSoon, makeAround, verbsOf } from './support/desk.ts';

const world = await createWorld();
const { main, clock } = world;
const { block, blockByHand, comment, requestChanges, requestReview, unblock } = verbsOf(world);

/** Written in a key, each of its characters takes three bytes. One of 64 bytes can be an assignee. */
const agentName = (bytes: number): string => '/:@-'.repeat(bytes / 4);
const REVIEWER = '-@:/'.repeat(32);
const tags = (length: number) => Array.from({ length }, (_, at) => `${at}${'é'.repeat(15)}`);

it.each([64, 128])(
  'the hot item of the worst card stays under 3,072 bytes, with agents of %i bytes',
  async (bytes) => {
    const contract = { max_attempts: 100, concurrency_limit: 1_000, max_runtime_seconds: 2_592_000 };
    const desk = await makeAround(world, { ...contract, block_recurrence_limit: 20 }, contract);
    const ada = world.agent(agentName(bytes));
    const bob = world.agent(REVIEWER);
    const person = world.person('𝄞'.repeat(100));
    const card = await made(world, desk, {
      tenant: 'é'.repeat(32),
      labels: tags(10),
      skills: tags(5),
      priority: 9,
      max_attempts: 100,
      max_runtime_seconds: 2_592_000,
      scheduled_at: new Date(clock.now()).toISOString(),
      dedupe_key: 'd'.repeat(255),
    });
    const sizes: Record<string, number> = {};
    const note = async (what: string) => {
      sizes[what] = itemBytes(await jobOf(world, card));
    };
    const claim = async (queue = desk.queue, agent = ada) => claimSoon(world, agent, queue);
    const reason = 'é'.repeat(500);
    for (const kind of ['needs_input', 'capability', 'transient', null]) {
      await block(ada, await claim(), { kind, reason });
      await note(`blocked ${kind}`);
      await unblock(card);
    }
    await comment(card, 'x', person);
    await note('commented');
    await requestReview(ada, await claim(), { reviewer: 'é'.repeat(32) });
    await note('review requested of one');
    await patchCard(main, person, { card: card.id, assignee: null });
    const reviewing = await claim(desk.reviewQueue, bob);
    await requestChanges(bob, reviewing, { reason });
    await note('changes requested');
    await patchCard(main, person, { card: card.id, labels: tags(10).toReversed() });
    await claim();
    clock.advance(3_600_000);
    const held = await claim();
    await renew(main, ada, held, { note: 'é'.repeat(100), progress: 33.333333333333336 });
    await requestCancel(main, person, { card: card.id, reason });
    await comment(card, 'x', ada, { lease_token: held.lease_token });
    await patchCard(main, person, { card: card.id, hold: true, draft: true, title: 'y', priority: 8 });
    await note('held, reserved, abandoned before, asked to stop');
    await blockByHand(card, { reason, kind: 'needs_input' }, person);
    await note('blocked by hand while held');
    await unblock(card, person);
    await moveCard(main, person, { card: card.id, column_id: desk.triage });
    await note('moved');
    expect(Object.entries(sizes).filter(([, size]) => size >= 3_072)).toEqual([]);
    expect(Math.max(...Object.values(sizes))).toBeGreaterThan(2_000);
  },
);

it('the hot item of the reference card stays under 1,024 bytes through comments, a block and a review', async () => {
  const desk = await makeAround(world);
  const card = await made(world, desk, REFERENCE_CARD);
  const ada = world.agent('drafter-1');
  const bob = world.agent('reviewer-1');
  const small = async () => expect(itemBytes(await jobOf(world, card))).toBeLessThan(1_024);
  await comment(card, 'hello');
  await small();
  await block(ada, await mustClaim(main, ada, desk.queue), { kind: 'needs_input', reason: 'which schema?' });
  await small();
  await unblock(card);
  await requestReview(ada, await mustClaim(main, ada, desk.queue));
  await small();
  await requestChanges(bob, await mustClaim(main, bob, desk.reviewQueue));
  await small();
  await mustClaim(main, ada, desk.queue);
  await small();
});
