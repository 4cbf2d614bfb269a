/**
 * Every write of every verb applied with its answer lost: once, so that the SDK repeats it, and for good, so
 * that the caller repeats the verb. The caller sees success exactly once, and the card is as if nothing happened
 * (aws-sdk-java #2667).
 */
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../shared/engine.ts';
import type { Repeatable } from '../../shared/idempotency.ts';
import { readJob } from '../../shared/jobs.ts';
import type { Job } from '../../shared/store/items.ts';
import { claimCard } from '../../shared/verbs/claim-card.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { reap } from '../../shared/verbs/reap.ts';
import type { ClaimView } from '../../shared/views/claim.ts';
import { losingAnswer, SDK_TRIES } from '../support/lost-answers.ts';
import { createQueue, type TestQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { complete, fail, mustClaim, release, renew } from '../support/worker.ts';
import { createWorld, worker, type World } from '../support/world.ts';

interface Scene {
  readonly queue: TestQueue;
  readonly card: string;
  readonly held: ClaimView | null;
  readonly repeat: Repeatable;
}

interface Story {
  readonly name: string;
  readonly limit?: number;
  /** Cannot be repeated by its caller: only the SDK's own repeat is in the story. */
  readonly keyless?: true;
  /** Brings the card to where the verb starts; a held card's claim is answered. */
  readonly before?: (world: World, queue: TestQueue) => Promise<ClaimView | null>;
  readonly verb: (engine: Engine, scene: Scene) => Promise<unknown>;
}

const ada = worker('ada');
const bob = worker('bob');
const reapAll = (engine: Engine) => reap(engine, engine.deps.now() + 50_000);

const held = (world: World, queue: TestQueue) => mustClaim(world.main, ada, queue);
async function expired(world: World, queue: TestQueue) {
  const lease = await held(world, queue);
  world.clock.advance(121_000);
  return lease;
}
async function reaped(world: World, queue: TestQueue) {
  const lease = await expired(world, queue);
  await reapAll(world.main);
  return lease;
}
const lease = ({ held }: Scene): ClaimView => {
  if (held === null) throw new Error('the story holds no lease');
  return held;
};
const next = (engine: Engine, { queue, repeat }: Scene, agent = ada) =>
  claimNext(engine, agent, { board: queue.board, column: queue.column.column_id }, repeat);

const STORIES: readonly Story[] = [
  { name: 'claim next', verb: (engine, scene) => next(engine, scene) },
  {
    name: 'claim next without a key',
    keyless: true,
    verb: (engine, { queue }) =>
      claimNext(engine, ada, { board: queue.board, column: queue.column.column_id }, null),
  },
  { name: 'claim next under a limit', limit: 2, verb: (engine, scene) => next(engine, scene) },
  { name: 'claim next superseding', before: expired, verb: (engine, scene) => next(engine, scene, bob) },
  { name: 'claim by name', verb: (engine, { card, repeat }) => claimCard(engine, ada, { card }, repeat) },
  {
    name: 'takeover',
    before: held,
    verb: (engine, { card, repeat }) =>
      claimCard(engine, bob, { card, takeover: true, reason: 'gone' }, repeat),
  },
  {
    name: 'renew',
    before: held,
    verb: (engine, scene) => renew(engine, ada, lease(scene), { checkpoint: 'x' }),
  },
  { name: 'renew, taking back', before: reaped, verb: (engine, scene) => renew(engine, ada, lease(scene)) },
  {
    name: 'complete',
    limit: 2,
    before: held,
    verb: (engine, scene) => complete(engine, ada, lease(scene), { properties: { a: 1 } }),
  },
  { name: 'complete, late', before: reaped, verb: (engine, scene) => complete(engine, ada, lease(scene)) },
  { name: 'fail', before: held, verb: (engine, scene) => fail(engine, ada, lease(scene)) },
  { name: 'release', before: held, verb: (engine, scene) => release(engine, ada, lease(scene)) },
  { name: 'reap', before: expired, verb: (engine) => reapAll(engine) },
];

async function sceneOf(world: World, story: Story, at: number): Promise<Scene> {
  const queue = await createQueue(world, { concurrency_limit: story.limit ?? null });
  const [card = ''] = await seedCards(world, queue.column, 1);
  const lease = (await story.before?.(world, queue)) ?? null;
  return { queue, card, held: lease, repeat: { key: `key ${at}`, route: story.name, fingerprint: 'f' } };
}

/** What must come out the same however often an answer was lost. */
function essence(job: Job | undefined) {
  if (job === undefined) return undefined;
  const { state, waiting_on, run, attempt, refunds, sequence, rev, agent, ev } = job;
  return {
    state,
    waiting_on,
    run,
    attempt,
    refunds,
    sequence,
    rev,
    agent,
    events: ev.map(({ type }) => type),
  };
}

describe.each(STORIES)('$name', (story) => {
  it('comes out right whichever answer is lost', async () => {
    const world = await createWorld();
    const { main } = world;
    const plain = await sceneOf(world, story, -1);
    const counting = losingAnswer(world, -1);
    await story.verb(counting.engine, plain);
    const right = essence(await readJob(main, plain.card));
    expect(counting.sent()).toBeGreaterThan(0);
    for (let number = 0; number < counting.sent(); number += 1) {
      const scene = await sceneOf(world, story, number);
      const losing = losingAnswer(world, number);
      await story.verb(losing.engine, scene);
      expect(losing.lost()).toBe(1);
      expect(essence(await readJob(main, scene.card)), `answer ${number} lost`).toEqual(right);
    }
    for (let number = 0; number < counting.sent() && story.keyless !== true; number += 1) {
      const scene = await sceneOf(world, story, 1_000 + number);
      const failed = await story.verb(losingAnswer(world, number, SDK_TRIES).engine, scene).then(
        () => null,
        (error: unknown) => error,
      );
      if (failed !== null) {
        // The reaper sees to the other cards first, then tells of all faults at once.
        const faults: unknown[] = failed instanceof AggregateError ? failed.errors : [failed];
        for (const fault of faults) expect(fault).toMatchObject({ code: 'throttled' });
        await story.verb(main, scene);
      }
      expect(essence(await readJob(main, scene.card)), `answer ${number} lost for good`).toEqual(right);
    }
  });
});
