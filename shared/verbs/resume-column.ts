/** Resume a paused queue. */
import { setPaused } from '../boards/set-paused.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ColumnView } from '../views/board.ts';

export async function resumeColumn(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
): Promise<ColumnView> {
  return setPaused(engine, caller, input, false);
}
