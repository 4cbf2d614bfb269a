/** Leases that ended unheard, of a batch: all of them, and those of the columns whose contract asks to be measured. */
import * as z from 'zod';
import { findColumn } from '../../shared/columns.ts';
import type { Engine } from '../../shared/engine.ts';
import type { OutgoingEvent } from '../../shared/events/log.ts';

export interface Expired {
  readonly total: number;
  /** By the column's id. */
  readonly columns: ReadonlyMap<string, number>;
}

const Placed = z.object({ column_id: z.string().nullable() });

export async function countExpired(engine: Engine, events: readonly OutgoingEvent[]): Promise<Expired> {
  const ended = events.filter(({ type }) => type === 'card.lease.expired');
  const byColumn = Map.groupBy(ended, ({ text }) => Placed.parse(JSON.parse(text)).column_id);
  const columns = new Map<string, number>();
  for (const [columnId, { length }] of byColumn) {
    const column = columnId === null ? undefined : await findColumn(engine, columnId);
    if (column?.contract.metrics === true) columns.set(column.column_id, length);
  }
  return { total: ended.length, columns };
}
