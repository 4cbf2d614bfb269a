/** What people do to a card: create, edit, move. */
import { createCard } from '../../../shared/verbs/create-card.ts';
import { createComment } from '../../../shared/verbs/create-comment.ts';
import { moveCard } from '../../../shared/verbs/move-card.ts';
import { patchCard } from '../../../shared/verbs/patch-card.ts';
import { seedCards } from '../../support/seed.ts';
import { atMost, type Bench, type Figure } from '../support/figure.ts';
import type { Cost } from '../support/probe.ts';
import { createScene, type Scene } from '../support/scene.ts';
import { REFERENCE_CARD } from '../support/reference-card.ts';

const NEIGHBOURS = 20;
const PARENTS = 3;

export async function cardRows(bench: Bench): Promise<Figure[]> {
  const scene = await createScene(bench);
  await create(scene);
  const plain = await create(scene);
  const keyed = await create(scene, true);
  const deduped = await create(scene, false, { dedupe_key: 'bench' });
  const parents = await seedCards(scene.world, scene.column, PARENTS);
  const linked = await create(scene, false, { parents });
  const perParent = (linked.writeUnits - plain.writeUnits) / PARENTS;
  return [
    atMost('create, round trips', 2, plain.rounds),
    atMost(
      'create, round trips: with both keys',
      2,
      (await create(scene, true, { dedupe_key: 'both' })).rounds,
    ),
    atMost('create, write units', 12, plain.writeUnits),
    atMost('create, more write units: for an Idempotency-Key', 2, keyed.writeUnits - plain.writeUnits),
    atMost('create, more write units: for a dedupe key', 2, deduped.writeUnits - plain.writeUnits),
    atMost('create, more write units: for each parent', 4, perParent),
    ...(await editRows(bench)),
  ];
}

let keys = 0;

function create(scene: Scene, withKey = false, more: object = {}): Promise<Cost> {
  const { world, engine, board, column } = scene;
  keys += 1;
  const repeat = withKey ? { key: `bench-${keys}`, route: 'POST cards', fingerprint: 'bench' } : null;
  const input = { board, column_id: column.column_id, ...REFERENCE_CARD, ...more };
  return scene.cost(() => createCard(engine, world.admin, input, repeat));
}

async function editRows(bench: Bench): Promise<Figure[]> {
  const scene = await createScene(bench);
  const { world, engine, column, failed } = scene;
  const cards = await seedCards(world, column, NEIGHBOURS);
  const patch = (more: object) => {
    const card = cards.pop() ?? '';
    return scene.cost(() => patchCard(engine, world.admin, { card, ...more }));
  };
  const move = (more: object) => {
    const card = cards.pop() ?? '';
    return scene.cost(() => moveCard(engine, world.admin, { card, ...more }));
  };
  const title = await patch({ title: 'Another title, of about the same length as the one before..' });
  const properties = await patch({ properties: { text: 'y'.repeat(70) } });
  const priority = await patch({ priority: 7 });
  const assignee = await patch({ assignee: 'ada' });
  const [first] = cards;
  const reordered = await move({ before: first });
  const relocated = await move({ column_id: failed.column_id });
  const commented = await scene.cost(() =>
    createComment(
      engine,
      world.admin,
      { card: first ?? '', body: 'A comment of some length, as people write them.' },
      null,
    ),
  );
  return [
    atMost('comment, write units', 4, commented.writeUnits),
    atMost('patch of a title, write units', 5, title.writeUnits),
    atMost('patch of properties, write units', 5, properties.writeUnits),
    atMost('patch of priority, write units', 3, priority.writeUnits),
    atMost('patch of assignee, write units', 3, assignee.writeUnits),
    atMost('move within a column, write units', 3, reordered.writeUnits),
    atMost('move to another column, write units', 3, relocated.writeUnits),
  ];
}
