/** The events of a board on its way out: its feed, and what happened to itself. A card's go with the card. */
import type { Engine } from '../engine.ts';
import { STEP_CARDS } from '../policy.ts';
import { boardKey, EVENT_PREFIX, feedHeadKey, feedPk, type Key } from '../store/keys.ts';
import type { QueryInput } from '../store/store.ts';

/**
 * True when nothing is left; false when the clock passed `until` (ms) before. What the fan-out, being late, still
 * adds expires by itself.
 */
export async function removeEvents(engine: Engine, boardId: string, until: number): Promise<boolean> {
  const pages = { pk: { name: 'pk', value: feedPk(boardId) } };
  const own = {
    pk: { name: 'pk', value: boardKey(boardId).pk },
    sk: { name: 'sk', prefix: EVENT_PREFIX },
  };
  for (const range of [pages, own]) if (!(await removeRange(engine, range, until))) return false;
  await engine.store.write({ kind: 'delete', key: feedHeadKey(boardId) });
  return true;
}

async function removeRange(engine: Engine, range: QueryInput, until: number): Promise<boolean> {
  for (;;) {
    const { items } = await engine.store.query({ ...range, limit: STEP_CARDS, consistent: true });
    if (items.length === 0) return true;
    if (engine.deps.now() >= until) return false;
    const keys = items.map(({ pk, sk }): Key => ({ pk: String(pk), sk: String(sk) }));
    await Promise.all(keys.map(async (key) => engine.store.write({ kind: 'delete', key })));
  }
}
