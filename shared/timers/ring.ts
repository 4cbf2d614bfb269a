/** What a timer does when it is due. Claims and reaper ring it alike; it may ring twice, or late. */
import type { TimedEntry } from '../claim/lanes.ts';
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { CorruptItem, readJob, writeChange } from '../jobs.ts';
import { tendGraph } from '../graphs/finish.ts';
import { finishParents } from '../links/pending-parents.ts';
import { ringChildren } from '../links/wake.ts';
import { reservationOver, withoutReservation } from '../model/reservation.ts';
import { inLane, settle } from '../model/settle.ts';
import type { Job } from '../store/items.ts';
import { expression } from '../store/conditions.ts';
import { GRAPHS_PK, pendingParentsKey, timerKey } from '../store/keys.ts';
import { TIMERS } from './timer.ts';

/**
 * Does what is due and removes the timer. False when it must ring again: another writer came between, the card
 * cannot be read, or only a newer version knows what it is for.
 *
 * @param until A timer whose work is long goes on with it until then (ms); by default it does one step of it.
 */
export async function ring(engine: Engine, entry: TimedEntry, until = 0): Promise<boolean> {
  if (entry.pk === GRAPHS_PK) return tendGraph(engine, entry.sk);
  switch (entry.sk) {
    case timerKey(entry.pk, TIMERS.reservation).sk:
      return ringReservation(engine, entry);
    case timerKey(entry.pk, TIMERS.children).sk:
      return ringChildren(engine, entry, until);
    case pendingParentsKey(entry.pk).sk:
      await finishParents(engine, entry.pk);
      return true;
    default:
      return false;
  }
}

async function ringReservation(engine: Engine, entry: TimedEntry): Promise<boolean> {
  const job = await readJob(engine, entry.pk).catch(asCorrupt);
  if (job === 'corrupt' || (job !== undefined && !(await endReservation(engine, job)))) return false;
  await engine.store.write({
    kind: 'delete',
    key: { pk: entry.pk, sk: entry.sk },
    condition: expression('#pos = :c_pos', { pos: entry.pos }),
  });
  return true;
}

/** A card that this version cannot read is shown in diagnostics, and stops nothing. */
function asCorrupt(error: unknown): 'corrupt' {
  if (error instanceof CorruptItem) return 'corrupt';
  throw error;
}

/** A card that was kept for somebody is anybody's. False when another writer came between: it rings again. */
export async function endReservation(engine: Engine, job: Job): Promise<boolean> {
  if (!reservationOver(job, engine.deps.now())) return true;
  const after = await unreserved(engine, job);
  const outcome = await writeChange(engine, { op: 'end_reservation', before: job, after, events: [] });
  return outcome.done;
}

async function unreserved(engine: Engine, job: Job): Promise<Job> {
  const free = withoutReservation(job);
  if (job.state === 'leased') return free;
  const column = await findColumn(engine, job.column_id);
  const derived = job.state === 'ready' || job.state === 'waiting' || job.state === 'idle';
  return derived && column !== undefined ? settle(free, column, engine.deps.now()) : inLane(free);
}
