/**
 * Every write of every verb around a card applied with its answer lost: once, so that the SDK repeats it, and for
 * good, so that the caller repeats the verb. Either way the card is as if nothing happened.
 */
import { expect, it } from 'vitest';
import type { Engine } from '../../shared/engine.ts';
import { readJob } from '../../shared/jobs.ts';
import { blockCard } from '../../shared/verbs/block-card.ts';
import { blockLease } from '../../shared/verbs/block-lease.ts';
import { completeCard } from '../../shared/verbs/complete-card.ts';
import { createComment } from '../../shared/verbs/create-comment.ts';
import { promoteCard } from '../../shared/verbs/promote-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { requestChanges } from '../../shared/verbs/request-changes.ts';
import { requestReview } from '../../shared/verbs/request-review.ts';
import { unblockCard } from '../../shared/verbs/unblock-card.ts';
import type { ClaimView } from '../../shared/views/claim.ts';
import { made } from '../cards/support/cards.ts';
import { losingAnswer, SDK_TRIES } from '../support/lost-answers.ts';
import { claimFrom, mustClaim } from '../support/worker.ts';
import { createWorld, worker } from '../support/world.ts';
import { makeAround, verbsOf, type Around } from './support/desk.ts';

const world = await createWorld();
const { main, admin, clock } = world;
const ada = worker('ada');
const bob = worker('bob');

interface Scene {
  readonly desk: Around;
  readonly card: string;
  readonly held: ClaimView;
  readonly key: string;
}
type Verb = (engine: Engine, scene: Scene) => Promise<unknown>;

const leaseOf = ({ held }: Scene) => ({ lease: held.lease_id, lease_token: held.lease_token });
const held = async (desk: Around) => mustClaim(main, ada, desk.queue);
async function inReview(desk: Around) {
  await verbsOf(world).requestReview(ada, await held(desk));
  return mustClaim(main, bob, desk.reviewQueue);
}
async function blocked(desk: Around) {
  const lease = await held(desk);
  await verbsOf(world).block(ada, lease);
  return lease;
}
async function nobodys(desk: Around) {
  const lease = await held(desk);
  clock.advance(121_000);
  await claimFrom(main, bob, desk.queue);
  clock.advance(121_000);
  return lease;
}
async function reserved(desk: Around) {
  const lease = await inReview(desk);
  await verbsOf(world).requestChanges(bob, lease);
  clock.advance(86_400_000);
  return lease;
}

interface Story {
  readonly before: (desk: Around) => Promise<ClaimView>;
  readonly verb: Verb;
  /** A timer that the verb sees to may be left when it is cut short: it rings once more, at the reaper. */
  readonly tidied?: true;
}

const STORIES: Record<string, Story> = {
  'a comment': {
    before: held,
    verb: async (engine, { card, key }) =>
      createComment(engine, bob, { card, body: 'hello' }, { key, route: 'comments', fingerprint: 'f' }),
  },
  "a holder's comment": {
    before: held,
    verb: async (engine, scene) =>
      createComment(
        engine,
        ada,
        { card: scene.card, body: 'hello', lease_token: scene.held.lease_token },
        { key: scene.key, route: 'comments', fingerprint: 'f' },
      ),
  },
  'a block': {
    before: held,
    verb: async (engine, scene) => blockLease(engine, ada, { ...leaseOf(scene), reason: 'r'.repeat(500) }),
  },
  'a request for review': {
    before: held,
    verb: async (engine, scene) => requestReview(engine, ada, { ...leaseOf(scene), summary: 's' }),
  },
  'a request for changes': {
    before: inReview,
    verb: async (engine, scene) => requestChanges(engine, bob, { ...leaseOf(scene), reason: 'r' }),
  },
  "a person's block of a held card": {
    before: held,
    verb: async (engine, { card }) => blockCard(engine, admin, { card, reason: 'r' }),
  },
  "a person's block of a card that a lost worker left": {
    before: nobodys,
    verb: async (engine, { card }) => blockCard(engine, admin, { card, reason: 'r' }),
  },
  'an unblock': {
    before: blocked,
    verb: async (engine, { card }) => unblockCard(engine, admin, { card }),
  },
  'a promotion': {
    before: blocked,
    verb: async (engine, { card }) => promoteCard(engine, admin, { card }),
  },
  'a completion by hand': {
    before: nobodys,
    verb: async (engine, { card }) => completeCard(engine, admin, { card, summary: 's' }),
  },
  'the end of a reservation': {
    before: reserved,
    tidied: true,
    verb: async (engine, { desk }) => claimFrom(engine, worker('carl'), desk.queue),
  },
};

async function sceneOf(name: string, at: number): Promise<Scene> {
  const desk = await makeAround(world);
  const card = await made(world, desk);
  const lease = await STORIES[name]?.before(desk);
  if (lease === undefined) throw new Error(`There is no story '${name}'`);
  return { desk, card: card.id, held: lease, key: `${name} ${at}` };
}

async function essence(card: string) {
  const job = await readJob(main, card);
  const { items } = await main.store.query({ pk: { name: 'pk', value: card }, consistent: true });
  return {
    state: job?.state,
    waiting_on: job?.waiting_on,
    run: job?.run,
    attempt: job?.attempt,
    sequence: job?.sequence,
    rev: job?.rev,
    comments: job?.comments,
    blocks: job?.blocks,
    assignee: job?.assignee,
    events: job?.ev.map(({ type }) => type),
    items: items.map(({ sk }) => sk),
  };
}

it.each(Object.keys(STORIES))('%s comes out right whichever answer is lost', async (name) => {
  const verb = STORIES[name]?.verb ?? (async () => undefined);
  const plain = await sceneOf(name, -1);
  const counting = losingAnswer(world, -1);
  await verb(counting.engine, plain);
  const right = await essence(plain.card);
  expect(counting.sent()).toBeGreaterThan(0);
  for (let number = 0; number < counting.sent(); number += 1) {
    const scene = await sceneOf(name, number);
    const losing = losingAnswer(world, number);
    await verb(losing.engine, scene);
    expect(losing.lost()).toBe(1);
    expect(await essence(scene.card), `answer ${number} lost`).toEqual(right);
  }
  for (let number = 0; number < counting.sent(); number += 1) {
    const scene = await sceneOf(name, 1_000 + number);
    const failed = await verb(losingAnswer(world, number, SDK_TRIES).engine, scene).then(
      () => null,
      (error: unknown) => error,
    );
    if (failed !== null) {
      expect(failed).toMatchObject({ code: 'throttled' });
      await verb(main, scene);
    }
    if (STORIES[name]?.tidied === true) await reap(main, clock.now() + 60_000);
    expect(await essence(scene.card), `answer ${number} lost for good`).toEqual(right);
  }
});
