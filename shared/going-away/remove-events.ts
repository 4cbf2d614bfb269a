/** The events of a board on its way out: its feed, and what happened to itself. A card's go with the card. */
import type { Engine } from '../engine.ts';
import { boardKey, EVENT_PREFIX, feedHeadKey, feedPk } from '../store/keys.ts';
import { removeRange } from './remove-range.ts';

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
