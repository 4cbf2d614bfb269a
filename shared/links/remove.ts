/**
 * The links of a card that is deleted. What it blocked unfinished goes on waiting for it, and shows it, until it is
 * unlinked; of a card that was done nothing is left to wait for.
 */
import type { Engine } from '../engine.ts';
import { CHILDREN_PER_LOOK, WALK_WIDTH } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { childEdgeKey, parentEdgeKey, type Key } from '../store/keys.ts';
import type { Item } from '../store/params.ts';
import { inWidth } from '../width.ts';
import { readChildren, readParents, type Edge } from './edges.ts';
import { isSatisfied } from './satisfied.ts';
import { wakeChildren } from './wake.ts';

/** Removes the halves that lie under other cards; those under the card itself go with it. May run twice. */
export async function removeEdges(engine: Engine, tombstone: Job): Promise<void> {
  const { pk } = tombstone;
  await removeHalves(
    engine,
    (page) => readParents(engine, pk, page),
    ({ parent }) => childEdgeKey(parent, pk),
  );
  if (!isSatisfied(tombstone)) return;
  await wakeChildren(engine, pk);
  await removeHalves(
    engine,
    (page) => readChildren(engine, pk, page),
    ({ child }) => parentEdgeKey(child, pk),
  );
}

async function removeHalves(
  engine: Engine,
  read: (page: { limit: number; start: Item | undefined }) => ReturnType<typeof readParents>,
  keyOf: (edge: Edge) => Key,
): Promise<void> {
  let start: Item | undefined;
  do {
    const page = await read({ limit: CHILDREN_PER_LOOK, start });
    await inWidth(WALK_WIDTH, page.edges, async (edge) =>
      engine.store.write({ kind: 'delete', key: keyOf(edge) }),
    );
    start = page.next;
  } while (start !== undefined);
}
