/** Pause a queue: claims are answered `paused` within two seconds; leases that are out go on and may finish. */
import { setPaused } from '../boards/set-paused.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ColumnView } from '../views/board.ts';

export async function pauseColumn(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
): Promise<ColumnView> {
  return setPaused(engine, caller, input, true);
}
