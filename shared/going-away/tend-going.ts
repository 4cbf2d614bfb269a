/** One run of the reaper over all that is on its way out. */
import type { Engine } from '../engine.ts';
import { isId } from '../ids.ts';
import { closeColumn } from './close-column.ts';
import { listGoing } from './register.ts';
import { removeBoard } from './remove-board.ts';
import { finishBurial } from './remove-remains.ts';

/** Takes each column, board and deleted card a step further, until the clock passes `until` (ms). Safe to run twice at once. */
export async function tendGoing(engine: Engine, until: number): Promise<void> {
  for (const entry of await listGoing(engine)) {
    if (engine.deps.now() >= until) return;
    if (isId('crd', entry.sk)) await finishBurial(engine, entry);
    else if (isId('col', entry.sk)) await closeColumn(engine, entry);
    else await removeBoard(engine, entry, until);
  }
}
