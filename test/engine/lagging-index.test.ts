/** Claims on an index that shows what was taken for a while longer, as the real one does. */
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../shared/engine.ts';
import { documentClient } from '../../shared/store/client.ts';
import { LaggingStore } from '../support/lagging-store.ts';
import { createQueue } from '../support/queue.ts';
import { seedCards } from '../support/seed.ts';
import { mustClaim, whyNothing } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const LAG_MS = 200;
const world = await createWorld();
const ada = world.agent('ada');

function laggingEngine(): Engine {
  const engine = world.engine();
  const { deps } = engine;
  const client = documentClient(world.table.clientOptions);
  return { ...engine, store: new LaggingStore({ tableName: world.table.tableName, client, deps }, LAG_MS) };
}

describe('a lone claimer on a lagging index', () => {
  it('is given one card after the other in order, however many stale entries stand before them', async () => {
    const queue = await createQueue(world);
    const ids = await seedCards(world, queue.column, 60);
    const engine = laggingEngine();
    const taken: string[] = [];
    while (taken.length < ids.length) taken.push((await mustClaim(engine, ada, queue)).card.id);
    expect(taken).toEqual(ids);
  });

  it('is told that all is held, not that something is there for others', async () => {
    const queue = await createQueue(world);
    await seedCards(world, queue.column, 3);
    const engine = laggingEngine();
    for (let card = 0; card < 3; card += 1) await mustClaim(engine, ada, queue);
    expect(await whyNothing(engine, ada, queue)).toMatchObject({ reason: 'all_held' });
  });
});
