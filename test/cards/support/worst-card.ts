/** The worst card that the API accepts, taken through everything that adds to its JOB. */
import { patchCard } from '../../../shared/verbs/patch-card.ts';
import { reclaimCard } from '../../../shared/verbs/reclaim-card.ts';
import { requestCancel } from '../../../shared/verbs/request-cancel.ts';
import { queueOf } from '../../boards/support/board.ts';
import { complete, mustClaim, renew } from '../../support/worker.ts';
import type { World } from '../../support/world.ts';
import { jobOf, made, makeDesk } from './cards.ts';

/** Bytes as DynamoDB counts them: names and values, 3 for a list or a map and 1 for each of its elements. */
export function itemBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replace(/[-.]/g, '').length / 2) + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const parts = Array.isArray(value)
    ? value.map((each) => itemBytes(each) + 1)
    : Object.entries(value).map(([name, each]) => Buffer.byteLength(name) + itemBytes(each) + 1);
  return parts.reduce((sum, bytes) => sum + bytes, 3);
}

const tags = (length: number) => Array.from({ length }, (_, at) => `${at}${'é'.repeat(15)}`);
/** Written in a key, each of its characters takes three bytes. */
const ASSIGNEE = `${'/:@'.repeat(21)}/`;
const LONG_AGENT = '/:@-'.repeat(32);

/** Sizes of JOB in bytes by what was done to it last, for a card that is assigned and for one that is not. */
export async function worstCard(world: World): Promise<Record<string, number>> {
  return { ...(await sizesOf(world, ASSIGNEE, ASSIGNEE)), ...(await sizesOf(world, LONG_AGENT, null)) };
}

async function sizesOf(
  world: World,
  agent: string,
  assignee: string | null,
): Promise<Record<string, number>> {
  const { main, clock } = world;
  const desk = await makeDesk(world, {
    max_attempts: 100,
    concurrency_limit: 1_000,
    max_runtime_seconds: 2_592_000,
  });
  const worker = world.agent(agent, { tokenName: '𝄞'.repeat(100) });
  const person = world.person('𝄞'.repeat(100));
  const sizes: Record<string, number> = {};
  const card = await made(world, desk, {
    title: '𝄞'.repeat(500),
    assignee,
    tenant: 'é'.repeat(32),
    labels: tags(10),
    skills: tags(5),
    priority: 9,
    max_attempts: 100,
    max_runtime_seconds: 2_592_000,
    scheduled_at: new Date(clock.now()).toISOString(),
  });
  const note = async (what: string) => {
    sizes[`${what}, ${assignee === null ? 'unassigned' : 'assigned'}`] = itemBytes(await jobOf(world, card));
  };
  await note('created');
  // A limit set anew takes a look at the leases first.
  clock.advance(10_000);
  await complete(main, worker, await mustClaim(main, worker, desk.queue), { column_id: desk.review });
  await note('completed');
  const review = await queueOf(main, desk.board, 'Review');
  await mustClaim(main, worker, review);
  clock.advance(3_600_000);
  const held = await mustClaim(main, worker, review);
  await note('superseded');
  await renew(main, worker, held, { note: 'é'.repeat(100), progress: 33.333333333333336 });
  await requestCancel(main, person, { card: card.id, reason: 'é'.repeat(500) });
  await note('cancel requested');
  await patchCard(main, person, { card: card.id, hold: true, draft: true, title: 'y', priority: 8 });
  await note('patched while held');
  await reclaimCard(main, person, { card: card.id, reason: 'é'.repeat(500) });
  const more = assignee === null ? { assignee: 'é'.repeat(32) } : { assignee: null };
  await patchCard(main, person, {
    card: card.id,
    hold: false,
    draft: false,
    title: 'z',
    priority: 7,
    ...more,
  });
  await note('patched');
  return sizes;
}
