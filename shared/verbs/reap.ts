/**
 * Reap: the safety net, once a minute. Ends expired holds, promotes what is due, heals slots, checks waiting
 * input against changed schemas, and last removes what boards keep no longer. Claims do all of it lazily; the reaper sees to columns that nobody claims from.
 * Its work grows with columns and with what is due, never with what waits.
 */
import { listQueues } from '../boards/list-queues.ts';
import { tendQueue } from '../boards/queue-register.ts';
import { endExpired, promote, rearm } from '../claim/expire.ts';
import { checkInput } from '../claim/input.ts';
import { isTimed, isTimer, lanePages, readLane, type Entry } from '../claim/lanes.ts';
import { beat, endedIn, listen } from '../claim/pulse.ts';
import { tendShards } from '../claim/reshard.ts';
import { holdersOf, readSlots, tidySlot } from '../claim/slots.ts';
import { capsOf } from '../claim/caps.ts';
import { findColumn, type Column } from '../columns.ts';
import { SYSTEM, type Engine } from '../engine.ts';
import { tendGraphs } from '../graphs/finish.ts';
import { tendGoing } from '../going-away/tend-going.ts';
import { readableJob } from '../jobs.ts';
import { leaseExpired, lifeOver } from '../model/hold.ts';
import { effectiveState } from '../model/settle.ts';
import { OUTAGE_LEASES, REAPER_INPUT_CHECKS, REAPER_PAGE } from '../policy.ts';
import { tendRetention, type Removed } from '../retention/tend-retention.ts';
import type { Job } from '../store/items.ts';
import { REQUEUE_BUDGET_MS } from '../webhooks/policy.ts';
import { requeueOverdue } from '../webhooks/requeue.ts';
import { ring } from '../timers/ring.ts';
import { dueUntil, jobKey, parkedPrefix } from '../store/keys.ts';

/** What one run did; the reaper's log line. */
export interface Reaped {
  columns: number;
  expired: number;
  timed_out: number;
  promoted: number;
  rearmed: number;
  slots_freed: number;
  inputs_checked: number;
  /** Cards moved to another shard of their column. */
  resharded: number;
  corrupt: number;
  /** Deliveries to webhooks whose message was lost. */
  requeued: number;
  /** What boards keep no longer. */
  removed: Removed;
  /** False when the time was up before every column was seen; the next run goes on. */
  finished: boolean;
}

/**
 * Runs until done or until `deadline` (ms). Safe to run twice at once, late, or not at all. A fault in one column
 * stops no other; it is thrown at the end, for the scheduler to hear of.
 */
export async function reap(engine: Engine, deadline: number): Promise<Reaped> {
  const done: Reaped = {
    columns: 0,
    expired: 0,
    timed_out: 0,
    promoted: 0,
    rearmed: 0,
    slots_freed: 0,
    inputs_checked: 0,
    resharded: 0,
    corrupt: 0,
    requeued: 0,
    removed: { events: 0, runs: 0, cards: 0 },
    finished: true,
  };
  const faults: unknown[] = [];
  await requeueOverdue(engine, Math.min(deadline, engine.deps.now() + REQUEUE_BUDGET_MS))
    .then((count) => (done.requeued = count))
    .catch((fault: unknown) => faults.push(fault));
  for (const columnId of await queueColumns(engine)) {
    if (engine.deps.now() >= deadline) {
      done.finished = false;
      break;
    }
    await reapColumn(engine, columnId, deadline, done).catch((fault: unknown) => faults.push(fault));
  }
  await tendGraphs(engine, deadline).catch((fault: unknown) => faults.push(fault));
  await tendGoing(engine, deadline).catch((fault: unknown) => faults.push(fault));
  await tendRetention(engine, deadline, done.removed).catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0)
    throw new AggregateError(faults, `The reaper met ${faults.length} faults and did the rest`);
  return done;
}

async function reapColumn(engine: Engine, columnId: string, deadline: number, done: Reaped): Promise<void> {
  await tendQueue(engine, columnId, deadline);
  const column = await findColumn(engine, columnId);
  if (column === undefined) return;
  done.columns += 1;
  await reapDue(engine, column, deadline, done);
  done.resharded += await tendShards(engine, column, deadline);
  await freeDeadSlots(engine, column, done);
  await checkWaitingInput(engine, column, deadline, done);
}

/** Queue columns, in an order of chance: two reapers at once, or one cut short, see to different ones. */
async function queueColumns(engine: Engine): Promise<string[]> {
  return (await listQueues(engine))
    .map((id) => ({ id, at: engine.deps.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id);
}

/** Entries of one range of a lane with their JOBs read strongly, page by page past what cannot be handled. */
async function* entriesWithJobs(
  engine: Engine,
  column: Column,
  lane: 'T' | 'P',
  range: { prefix?: string; until?: string; timers?: true },
  deadline: number,
): AsyncGenerator<{ entry: Entry; job: Job | 'corrupt' | undefined }> {
  for await (const entries of lanePages(engine, column.column_id, lane, { ...range, limit: REAPER_PAGE })) {
    const items = await engine.store.batchGet(entries.map((entry) => jobKey(entry.pk)));
    for (const [at, entry] of entries.entries()) {
      yield { entry, job: readableJob(items[at], entry.pk) };
    }
    if (engine.deps.now() >= deadline) return;
  }
}

async function reapDue(engine: Engine, column: Column, deadline: number, done: Reaped): Promise<void> {
  const until = dueUntil(engine.deps.now());
  const range = { until, timers: true as const };
  const faults: unknown[] = [];
  const awaited = await holdersAwaited(engine, column, until);
  for await (const { entry, job } of entriesWithJobs(engine, column, 'T', range, deadline)) {
    if (isTimed(entry) && isTimer(entry)) {
      await ring(engine, entry, deadline).catch((fault: unknown) => faults.push(fault));
      continue;
    }
    if (job === 'corrupt') done.corrupt += 1;
    if (job === 'corrupt' || job === undefined || !isTimed(entry)) continue;
    if (job.lane !== entry.lane || job.pos !== entry.pos) continue;
    if (awaited && job.state === 'leased') continue;
    await reapOne(engine, column, job, done);
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Timers that could not do their work');
}

/** True while the holders of a column are awaited after an outage. */
async function holdersAwaited(engine: Engine, column: Column, until: string): Promise<boolean> {
  const { entries } = await readLane(engine, column.column_id, 'T', { until, limit: OUTAGE_LEASES });
  const ended = endedIn({ timed: entries.filter(isTimed) }, engine.deps.now());
  const awaited = (await listen(engine, column, ended)) > 0;
  await beat(engine, column);
  return awaited;
}

async function reapOne(engine: Engine, column: Column, job: Job, done: Reaped): Promise<void> {
  const now = engine.deps.now();
  if (leaseExpired(job, now)) {
    const over = lifeOver(job, now);
    if (await endExpired(engine, job, column)) done[over ? 'timed_out' : 'expired'] += 1;
  } else if (job.state === 'leased') {
    await rearm(engine, job);
    done.rearmed += 1;
  } else if (job.state === 'waiting' && effectiveState(job, now).state === 'ready') {
    if (await promote(engine, job, column)) done.promoted += 1;
  }
}

/** The sets per agent are many and small: a dead slot there is found by that agent's next claim. */
async function freeDeadSlots(engine: Engine, column: Column, done: Reaped): Promise<void> {
  for (const cap of capsOf(column, SYSTEM.id).filter(({ kind }) => kind !== 'agent')) {
    const slots = await readSlots(engine, cap);
    const holders = await holdersOf(engine, slots);
    for (const [at, slot] of slots.entries()) {
      if ((holders[at] ?? null) !== null) continue;
      await tidySlot(engine, cap.scope, slot);
      done.slots_freed += 1;
    }
  }
}

/** Cards that wait on `input` since an older schema: the present one may let them through. */
async function checkWaitingInput(
  engine: Engine,
  column: Column,
  deadline: number,
  done: Reaped,
): Promise<void> {
  const range = { prefix: parkedPrefix('input') };
  const current = column.contract.input_schema === null ? undefined : column.item.schema_no;
  for await (const { job } of entriesWithJobs(engine, column, 'P', range, deadline)) {
    if (done.inputs_checked >= REAPER_INPUT_CHECKS) return;
    if (job === undefined || job === 'corrupt' || job.input_no === current) continue;
    await checkInput(engine, column, job);
    done.inputs_checked += 1;
  }
}
