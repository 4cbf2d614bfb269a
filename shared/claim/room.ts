/** Whether one more lease has room under the limits of a column, looked at without taking anything. */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { leaseExpired } from '../model/hold.ts';
import { holdersOf, readSlots } from './slots.ts';

/** @param _agent Who would hold it. */
export async function hasRoom(engine: Engine, column: Column, _agent: string): Promise<boolean> {
  const limit = column.contract.concurrency_limit;
  if (limit === null) return true;
  if (column.item.adopting_at !== undefined) return false;
  const holders = await holdersOf(engine, await readSlots(engine, column.column_id));
  const now = engine.deps.now();
  return holders.filter((job) => job !== null && !leaseExpired(job, now)).length < limit;
}
