/** Items that cannot be read, among linked cards: shown in diagnostics, and never in anybody's way. */
import { describe, expect, it } from 'vitest';
import { CreateGraphBody } from '../../shared/schemas/graphs.ts';
import { graphKey, jobKey } from '../../shared/store/keys.ts';
import { createGraph } from '../../shared/verbs/create-graph.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { reopenCard } from '../../shared/verbs/reopen-card.ts';
import { jobOf, look, made, makeDesk, type Desk } from '../cards/support/cards.ts';
import { mustClaim } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { dyingEngine } from './support/dying.ts';
import { childOf, finish } from './support/links.ts';

const world = await createWorld();
const { main, admin, clock } = world;
const ada = world.agent('ada');

const corrupt = async (key: { pk: string; sk: string }, set: Record<string, unknown>) =>
  main.store.write({ kind: 'update', key, set, remove: [] });

/** Two cards of a graph whose maker died right after its commit. */
async function halfGraph(desk: Desk): Promise<string[]> {
  const cards = ['one', 'two'].map((ref) => ({ ref, title: ref, column_id: desk.ready }));
  const body = { ...CreateGraphBody.parse({ cards }), board: desk.board.id };
  const { value } = await createGraph(dyingEngine(world, 4), admin, body, null);
  return Object.values(value.cards);
}

describe('a card that cannot be read', () => {
  it('in a graph that was committed keeps neither the others nor claims nor the reaper', async () => {
    const desk = await makeDesk(world);
    const [one = '', two = ''] = await halfGraph(desk);
    await corrupt(jobKey(one), { rank: 5 });
    clock.advance(61_000);
    expect((await mustClaim(main, ada, desk.queue)).card.id).toBe(two);
    await reap(world.engine(), clock.now() + 50_000);
  });

  it('among the children of a parent that opens again keeps it from nothing', async () => {
    const desk = await makeDesk(world);
    const parent = await made(world, desk);
    const [broken, whole] = [await childOf(world, desk, [parent]), await childOf(world, desk, [parent])];
    await finish(world, desk, parent);
    await corrupt(jobKey(broken.id), { rank: 5 });
    await reopenCard(main, admin, { card: parent.id, column_id: desk.todo });
    expect(await look(world, whole)).toMatchObject({ state: 'waiting', waiting_on: 'parents' });
  });
});

it('a timer that cannot do its work keeps claims from no card, and the reaper from no lease that has ended', async () => {
  const desk = await makeDesk(world);
  await made(world, desk);
  const held = await mustClaim(main, ada, desk.queue);
  const [one = ''] = await halfGraph(desk);
  const { staged = '' } = (await main.store.get(jobKey(one))) as { staged?: string };
  await corrupt(graphKey(staged), { opened_at: 'when?' });
  clock.advance(200_000);
  await expect(reap(world.engine(), clock.now() + 50_000)).rejects.toThrow(/faults/);
  expect(await jobOf(world, held.card)).toMatchObject({ state: 'ready', op: 'expire' });
  expect((await mustClaim(world.engine(), ada, desk.queue)).card.id).toBe(held.card.id);
});
