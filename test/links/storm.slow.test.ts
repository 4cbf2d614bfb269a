/** Everything that people and workers do around linked cards, side by side; afterwards each card must stand where its links put it. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { isProblem } from '../../shared/errors.ts';
import { findColumn } from '../../shared/columns.ts';
import { parentFacts, withParentFacts } from '../../shared/links/facts.ts';
import { waitsOn } from '../../shared/model/settle.ts';
import { documentClient } from '../../shared/store/client.ts';
import { JobSchema, type Job } from '../../shared/store/items.ts';
import { archiveCard } from '../../shared/verbs/archive-card.ts';
import { blockCard } from '../../shared/verbs/block-card.ts';
import { bulkCards } from '../../shared/verbs/bulk-cards.ts';
import { completeCard } from '../../shared/verbs/complete-card.ts';
import { decomposeCard } from '../../shared/verbs/decompose-card.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { linkCards } from '../../shared/verbs/link-cards.ts';
import { moveCard } from '../../shared/verbs/move-card.ts';
import { patchCard } from '../../shared/verbs/patch-card.ts';
import { promoteCard } from '../../shared/verbs/promote-card.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { unarchiveCard } from '../../shared/verbs/unarchive-card.ts';
import { unblockCard } from '../../shared/verbs/unblock-card.ts';
import { unlinkCards } from '../../shared/verbs/unlink-cards.ts';
import { made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { claimFrom, complete, fail, release } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';

const ACTORS = 8;
const STEPS = 45;
const CARDS = 14;
const LONG_MS = 240_000;

type Step = () => Promise<unknown>;

/** What one actor may do next, by weight of its place in the list. */
function stepsOf(world: World, desk: Desk, cards: string[], random: () => number): readonly Step[] {
  const { admin } = world;
  const engine = world.engine();
  const ada = world.agent('ada');
  const any = (): string => cards[Math.floor(random() * cards.length)] ?? '';
  const work = async (end: typeof complete): Promise<void> => {
    const held = await claimFrom(engine, ada, desk.queue);
    if (held !== null) await end(engine, ada, held);
  };
  const create = async (more: object): Promise<void> => {
    const card = await made(world, desk, more);
    cards.push(card.id);
  };
  return [
    async () => work(complete),
    async () => work(complete),
    async () => work(complete),
    async () => work(release),
    async () => work(fail),
    async () => linkCards(engine, admin, { card: any(), parent_id: any() }, null),
    async () => linkCards(engine, admin, { card: any(), parent_id: any() }, null),
    async () => linkCards(engine, admin, { card: any(), child_id: any() }, null),
    async () => unlinkCards(engine, admin, { card: any(), parent_id: any() }),
    async () => create({ parents: [...new Set([any(), any()])] }),
    async () => create({ container_id: any() }),
    async () => patchCard(engine, admin, { card: any(), container: random() < 0.7 }),
    async () => patchCard(engine, admin, { card: any(), container_id: random() < 0.7 ? any() : null }),
    async () => patchCard(engine, admin, { card: any(), hold: random() < 0.3 }),
    async () => completeCard(engine, admin, { card: any() }),
    async () => moveCard(engine, admin, { card: any(), column_id: desk.done, force: true, reason: 'x' }),
    async () => moveCard(engine, admin, { card: any(), column_id: desk.ready }),
    async () => moveCard(engine, admin, { card: any(), column_id: desk.todo }),
    async () => reopenCard(engine, admin, { card: any(), column_id: desk.ready }),
    async () => reopenCard(engine, admin, { card: any(), column_id: desk.ready }),
    async () => archiveCard(engine, admin, { card: any(), force: true, reason: 'x' }),
    async () => unarchiveCard(engine, admin, { card: any() }),
    async () => unarchiveCard(engine, admin, { card: any() }),
    async () =>
      random() < 0.3 ? deleteCard(engine, admin, { card: any(), force: true, reason: 'x' }) : null,
    async () =>
      blockCard(engine, admin, { card: any(), reason: 'x', kind: random() < 0.5 ? 'dependency' : null }),
    async () => unblockCard(engine, admin, { card: any() }),
    async () => promoteCard(engine, admin, { card: any() }),
    async () =>
      decomposeCard(
        engine,
        admin,
        {
          card: any(),
          cards: [
            { ref: 'a', title: 'a' },
            { ref: 'b', title: 'b' },
          ],
          links: [{ parent: 'a', child: 'b' }],
        },
        null,
      ),
    async () =>
      bulkCards(engine, admin, {
        board: desk.board.id,
        ids: [...new Set([any(), any(), any()])],
        verb: random() < 0.5 ? 'complete' : 'archive',
      }),
    async () => reap(engine, world.clock.now() + 50_000),
  ];
}

async function storm(world: World, desk: Desk, seed: string): Promise<void> {
  const cards: string[] = [];
  for (let at = 0; at < CARDS; at += 1) cards.push((await made(world, desk)).id);
  await Promise.all(
    Array.from({ length: ACTORS }, async (_, actor) => {
      const random = seededRandom(`${seed} ${actor}`);
      const steps = stepsOf(world, desk, cards, random);
      for (let at = 0; at < STEPS; at += 1) {
        const step = steps[Math.floor(random() * steps.length)];
        await step?.().catch((error: unknown) => {
          if (!isProblem(error) || error.code === 'internal') throw error;
        });
      }
    }),
  );
}

type Item = Record<string, unknown> & { pk: string; sk: string };

async function everything(world: World): Promise<Item[]> {
  const client = documentClient(world.table.clientOptions);
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: world.table.tableName, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items as Item[]));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

/** What is wrong with a card, given what its links say; nothing when it stands right. */
async function wrongWith(world: World, job: Job): Promise<string[]> {
  const facts = (await parentFacts(world.main, [job])).get(job.pk);
  const right = withParentFacts(job, facts ?? { parentsOpen: false, subsDone: false });
  const column = await findColumn(world.main, job.column_id);
  const wrong: string[] = [];
  const expected = { parents_open: right.parents_open, subs_done: right.subs_done };
  const found = { parents_open: job.parents_open, subs_done: job.subs_done };
  if (column?.queue === true && ['waiting', 'ready'].includes(job.state)) {
    if (JSON.stringify(expected) !== JSON.stringify(found))
      wrong.push(
        `${job.pk} ${job.state} says ${JSON.stringify(found)}, its links ${JSON.stringify(expected)}`,
      );
    const waiting = waitsOn(right, world.clock.now());
    if (
      (job.state === 'ready') !== (waiting === null) &&
      waiting !== 'backoff' &&
      job.waiting_on !== 'backoff'
    )
      wrong.push(`${job.pk} is ${job.state} ${job.waiting_on}, and should wait on ${waiting}`);
  }
  if (job.state === 'idle' && column?.queue === true) wrong.push(`${job.pk} is idle in a queue`);
  return wrong;
}

it.each(['one', 'two', 'three'])(
  'whatever people and workers do side by side, every card stands where its links put it: storm %s',
  async (seed) => {
    const world = await createWorld({ sleep: 'real' });
    const desk = await makeDesk(world, { max_attempts: 3, backoff_seconds: [1], backoff_jitter: 0 });
    await storm(world, desk, seed);
    for (let minute = 0; minute < 3; minute += 1) {
      world.clock.advance(61_000);
      await reap(world.engine(), world.clock.now() + 50_000);
    }
    const items = await everything(world);
    const jobs = items.flatMap((item) => (item.sk === 'JOB' ? [JobSchema.parse(item)] : []));
    const live = jobs.filter(({ state }) => state !== 'deleted');
    expect(live.length).toBeGreaterThan(CARDS);
    expect((await Promise.all(live.map(async (job) => wrongWith(world, job)))).flat()).toEqual([]);

    const halves = new Set(items.map(({ pk, sk }) => `${pk} ${sk}`));
    const gone = new Set(jobs.filter(({ state }) => state === 'deleted').map(({ pk }) => pk));
    const lone = items.flatMap(({ pk, sk }) => {
      const [kind, other = ''] = sk.split('#');
      if (kind === 'CHILD') return halves.has(`${other} PARENT#${pk}`) ? [] : [`${pk} ${sk}`];
      if (kind === 'PARENT' && other !== '~' && !gone.has(other))
        return halves.has(`${other} CHILD#${pk}`) ? [] : [`${pk} ${sk}`];
      return [];
    });
    expect(lone).toEqual([]);
    expect(items.filter(({ sk }) => sk === 'TIMER#CHILDREN')).toEqual([]);
    const dangling = items.filter(({ pk, sk }) => gone.has(pk) && sk !== 'JOB');
    expect(dangling.map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([]);
  },
  LONG_MS,
);
