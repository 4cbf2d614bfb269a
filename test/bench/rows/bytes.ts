/** Sizes of what is read and written most. */
import { LANES_INDEX } from '../../../shared/store/table.ts';
import { laneOf, jobKey } from '../../../shared/store/keys.ts';
import { createCard } from '../../../shared/verbs/create-card.ts';
import { worstCard } from '../../cards/support/worst-card.ts';
import { mustClaim } from '../../support/worker.ts';
import { createWorld } from '../../support/world.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import { itemBytes } from '../support/item-bytes.ts';
import { REFERENCE_CARD } from '../support/reference-card.ts';
import { createScene, type Scene } from '../support/scene.ts';

export async function bytesRows(bench: Bench): Promise<Figure[]> {
  const scene = await createScene(bench);
  const { world, engine, board, column } = scene;
  await createCard(engine, world.admin, { board, column_id: column.column_id, ...REFERENCE_CARD }, null);
  const ready = await entryBytes(scene, 'R');
  const held = await mustClaim(engine, world.agent('ada'), scene);
  const leased = await engine.store.get(jobKey(held.card.id));
  const worst = await worstCard(await createWorld({ table: await bench.newTable() }));
  return [
    atMost('bytes: index entry, ready', 200, ready),
    atMost('bytes: index entry, leased', 200, await entryBytes(scene, 'T')),
    atMost('bytes: JOB leased, reference card', 1_024, itemBytes(leased ?? {})),
    atMost('bytes: JOB of the worst card that the API accepts', 3_072, Math.max(...Object.values(worst))),
  ];
}

/** Bytes of the first entry of a lane: what the index projects, its own keys and the table's. */
async function entryBytes({ engine, column }: Scene, lane: 'R' | 'T'): Promise<number> {
  const { items } = await engine.store.query({
    index: LANES_INDEX,
    pk: { name: 'lane', value: laneOf(column.column_id, lane) },
    limit: 1,
  });
  const [entry] = items;
  if (entry === undefined) throw new Error(`The lane ${lane} is empty`);
  return itemBytes(entry);
}
