/** A column's contract: exactly what a PUT takes. A column that never had one answers the defaults, not enabled. */
import { boardNow, columnNow } from '../boards/read-now.ts';
import type { ContractSettings } from '../contract/contract-fields.ts';
import type { Caller, Engine } from '../engine.ts';

export async function getContract(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
): Promise<ContractSettings> {
  const board = await boardNow(engine, caller, input.board);
  const column = await columnNow(engine, board, input.column);
  return column.contract;
}
