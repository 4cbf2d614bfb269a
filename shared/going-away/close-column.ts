/**
 * The end of a column: closed by its verb, removed by the reaper once it has been empty for a while. A card that
 * still lands there, since another instance remembered the column, goes to the board's first column.
 */
import { endExpired } from '../claim/expire.ts';
import { inputErrors, inputErrorsWrite, withInput } from '../claim/input.ts';
import { readLane, type Entry } from '../claim/lanes.ts';
import { readSlots, tidySlot } from '../claim/slots.ts';
import { passCorrupt } from '../boards/strays.ts';
import { findColumn, toColumn, type Column } from '../columns.ts';
import { SYSTEM, type Engine } from '../engine.ts';
import { note, readCard, writeChange } from '../jobs.ts';
import { isGated } from '../links/facts.ts';
import { lookQuietly } from '../links/look.ts';
import { isSatisfied } from '../links/satisfied.ts';
import { wakeChildren } from '../links/wake.ts';
import { entering, leaseExpired } from '../model/hold.ts';
import { inLane } from '../model/settle.ts';
import { STEP_CARDS } from '../policy.ts';
import { BoardSchema, ColumnSchema, type GoingItem, type Job } from '../store/items.ts';
import { boardKey, columnKey, pulseKey, queueEntryKey } from '../store/keys.ts';
import { foundMore, goneDelete, isQuiet } from './register.ts';

/** States that a card was brought to by its work or by a person: another column does not undo them. */
const KEPT: ReadonlySet<Job['state']> = new Set(['done', 'dead', 'archived', 'blocked']);

/** Cards of a column, of every state; as late as the index is. */
export async function cardsIn(engine: Engine, columnId: string, limit: number): Promise<Entry[]> {
  const lanes = await Promise.all(
    (['R', 'T', 'P'] as const).map((kind) => readLane(engine, columnId, kind, { limit })),
  );
  return lanes.flatMap((lane) => lane.entries).slice(0, limit);
}

/** One step for a closing column; the reaper calls it until the entry is gone. */
export async function closeColumn(engine: Engine, entry: GoingItem): Promise<void> {
  const columnId = entry.sk;
  const [column, board] = await engine.store.batchGet([columnKey(columnId), boardKey(entry.board_id)]);
  const open = board === undefined ? undefined : BoardSchema.parse(board);
  // Without its board, or with it on its way out, there is nowhere to move a card, and none outlives the board.
  if (column !== undefined && open !== undefined && open.deleting_at === undefined) {
    const strays = await cardsIn(engine, columnId, STEP_CARDS);
    if (strays.length > 0) {
      await foundMore(engine, entry);
      await moveAll(engine, toColumn(ColumnSchema.parse(column)), open.column_ids[0], strays);
      return;
    }
    if (!isQuiet(engine, entry)) return;
  }
  await removeColumn(engine, columnId);
  await engine.store.write(goneDelete(columnId));
}

/** Deletes a column's items: its slots, its place among the queues, and itself. */
export async function removeColumn(engine: Engine, columnId: string): Promise<void> {
  const slots = await readSlots(engine, { kind: 'column', scope: columnId });
  await Promise.all(slots.map(async (slot) => tidySlot(engine, columnId, slot)));
  await engine.store.write({ kind: 'delete', key: queueEntryKey(columnId) });
  await engine.store.write({ kind: 'delete', key: pulseKey(columnId) });
  await engine.store.write({ kind: 'delete', key: columnKey(columnId) });
}

async function moveAll(
  engine: Engine,
  from: Column,
  toId: string | undefined,
  strays: readonly Entry[],
): Promise<void> {
  const to = toId === undefined ? undefined : await findColumn(engine, toId);
  if (to === undefined) return;
  await Promise.all(strays.map(async (stray) => moveStray(engine, from, to, stray.pk)));
}

/** A held card stays with its worker until the lease ends; what another changes between is seen at the next step. */
async function moveStray(engine: Engine, from: Column, to: Column, cardId: string): Promise<void> {
  const read = await readCard(engine, cardId).catch(passCorrupt);
  if (read === undefined || read.job.column_id !== from.column_id) return;
  const { job, card } = read;
  const now = engine.deps.now();
  if (job.state === 'leased') {
    if (leaseExpired(job, now)) await endExpired(engine, job, from);
    return;
  }
  const errors = inputErrors(to, card.properties);
  const after = KEPT.has(job.state)
    ? inLane({ ...job, column_id: to.column_id })
    : entering(withInput(job, to, errors), to, now, () => engine.deps.random());
  const shown = KEPT.has(job.state) ? null : inputErrorsWrite(card, errors);
  const change = { op: 'move' as const, before: job, after, events: [note('card.moved', SYSTEM, job)] };
  const outcome = await writeChange(engine, change, shown === null ? [] : [shown]);
  if (outcome.done) await followLinks(engine, job, after);
}

/** Where the board's first column is one for what is done, its strays are done; elsewhere they may wait for parents. */
async function followLinks(engine: Engine, before: Job, after: Job): Promise<void> {
  if (isSatisfied(after) && !isSatisfied(before)) await wakeChildren(engine, after.pk);
  else if (isGated(after)) await lookQuietly(engine, after.pk);
}
