/** One run of the reaper over all that is on its way out. */
import type { Engine } from '../engine.ts';
import { isId } from '../ids.ts';
import { STEP_CARDS } from '../policy.ts';
import { inWidth } from '../width.ts';
import { closeColumn } from './close-column.ts';
import { listGoing } from './register.ts';
import { removeBoard } from './remove-board.ts';
import { removeDeliveries } from './remove-deliveries.ts';
import { finishBurial } from './remove-remains.ts';

/** Takes each column, board, webhook and deleted card a step further, until the clock passes `until` (ms). Safe to run twice at once. */
export async function tendGoing(engine: Engine, until: number): Promise<void> {
  const entries = await listGoing(engine);
  const cards = entries.filter(({ sk }) => isId('crd', sk));
  await inWidth(STEP_CARDS, cards, async (entry) => {
    if (engine.deps.now() < until) await finishBurial(engine, entry);
  });
  for (const entry of entries) {
    if (engine.deps.now() >= until) return;
    if (isId('crd', entry.sk)) continue;
    if (isId('col', entry.sk)) await closeColumn(engine, entry);
    else if (isId('whk', entry.sk)) await removeDeliveries(engine, entry, until);
    else await removeBoard(engine, entry, until);
  }
}
