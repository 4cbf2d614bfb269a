/**
 * What is on its way out: closing columns, boards being deleted, webhooks and cards that were, each with an entry that
 * the reaper finds. Of a column and a board it says since when nothing was found any more; only after a while of that
 * is the rest removed, since the indexes lag and other instances remember what they have read.
 */
import type { Engine } from '../engine.ts';
import { GOING_SETTLE_MS } from '../policy.ts';
import { PRESENT } from '../store/conditions.ts';
import { GoingSchema, LAYOUT_VERSION, type GoingItem } from '../store/items.ts';
import { GOING_PK, goingKey } from '../store/keys.ts';
import type { Delete, Put } from '../store/params.ts';

/** `id` of a column, a board, a webhook or a card. */
export function goingPut(engine: Engine, id: string, boardId: string): Put {
  return {
    kind: 'put',
    item: { ...goingKey(id), v: LAYOUT_VERSION, board_id: boardId, since_at: engine.deps.now() },
  };
}

export function goneDelete(id: string): Delete {
  return { kind: 'delete', key: goingKey(id) };
}

export async function listGoing(engine: Engine): Promise<GoingItem[]> {
  const entries: GoingItem[] = [];
  for await (const items of engine.store.pages({
    pk: { name: 'pk', value: GOING_PK },
    consistent: true,
  })) {
    entries.push(...items.map((item) => GoingSchema.parse(item)));
  }
  return entries;
}

/** Something was found still: the quiet time begins anew. */
export async function foundMore(engine: Engine, entry: GoingItem): Promise<void> {
  await engine.store.write({
    kind: 'update',
    key: goingKey(entry.sk),
    set: { since_at: engine.deps.now() },
    remove: [],
    condition: PRESENT,
  });
}

export function isQuiet(engine: Engine, entry: GoingItem): boolean {
  return engine.deps.now() - entry.since_at >= GOING_SETTLE_MS;
}
