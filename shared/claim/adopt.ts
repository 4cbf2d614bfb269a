/**
 * A limit set while leases live without slots: claims first give each such lease a number at or above the
 * limit, and take none themselves, until a pass over the held cards finds no more. From then on the rule for a
 * lowered limit holds.
 */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { readJob } from '../jobs.ts';
import { ADOPT_SETTLE_MS, HOUSEKEEPING_PER_CALL, REAPER_PAGE } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { columnKey } from '../store/keys.ts';
import { isTimed, readLane, type TimedEntry } from './lanes.ts';
import { findSlot, nameSlot, slotAbove, type FreeSlot, type HeldSlot } from './slots.ts';

/** A slot for one more lease of a limited column; null when it is full, or its leases are still adopted. */
export async function slotFor(
  engine: Engine,
  column: Column,
  limit: number,
  held: readonly HeldSlot[],
): Promise<FreeSlot | null> {
  return (await adoptLeases(engine, column, held)) ? findSlot(engine, column, limit, held) : null;
}

/** True when the column's leases all hold slots, so that claims may take one. Else adopts up to five. */
async function adoptLeases(engine: Engine, column: Column, held: readonly HeldSlot[]): Promise<boolean> {
  const since = column.item.adopting_at;
  const limit = column.contract.concurrency_limit;
  if (since === undefined || limit === null) return true;
  const began = engine.deps.now();
  const slotless = await heldWithoutSlot(engine, column);
  let number = Math.max(limit, ...held.map((slot) => slot.number + 1));
  for (const entry of slotless.slice(0, HOUSEKEEPING_PER_CALL)) {
    await adopt(engine, column, entry, number);
    number += 1;
  }
  if (slotless.length > 0 || began < since + ADOPT_SETTLE_MS) return false;
  await endAdopting(engine, column, since);
  return false;
}

async function heldWithoutSlot(engine: Engine, column: Column): Promise<TimedEntry[]> {
  const found: TimedEntry[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await readLane(engine, column.column_id, 'T', {
      limit: REAPER_PAGE,
      ...(start === undefined ? {} : { start }),
    });
    found.push(
      ...page.entries.filter(isTimed).filter((entry) => entry.at.kind === 'h' && entry.slot === undefined),
    );
    start = page.next;
  } while (start !== undefined);
  return found;
}

async function adopt(engine: Engine, column: Column, entry: TimedEntry, number: number): Promise<void> {
  const job = await readJob(engine, entry.pk);
  if (job?.state !== 'leased' || job.slot !== undefined) return;
  const slot = slotAbove(engine, column.column_id, number);
  await engine.store.transact([nameSlot(job, slot.name, 'adopt'), slot.write(job.pk)]);
}

async function endAdopting(engine: Engine, column: Column, since: number): Promise<void> {
  await engine.store.write({
    kind: 'update',
    key: columnKey(column.column_id),
    set: {},
    remove: ['adopting_at'],
    condition: expression('#adopting_at = :c_adopting_at', { adopting_at: since }),
  });
  engine.columns.forget(column.column_id);
}
