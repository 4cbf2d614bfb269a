/**
 * Ending a hold whose time has passed: the claim that meets it and the reaper do the same. The deadline as read
 * is in the condition, so a renewal in flight always wins.
 */
import { findColumn, type Column } from '../columns.ts';
import { SYSTEM, type Engine } from '../engine.ts';
import { leaseNote, note, writeChange, type Change } from '../jobs.ts';
import {
  abandonedBy,
  attemptsLeft,
  deadLettered,
  lifeOver,
  withoutHold,
  withoutLease,
} from '../model/hold.ts';
import { settle, type Place } from '../model/settle.ts';
import { closeRun } from '../runs.ts';
import type { EventNote, Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import { conditionOf } from '../store/conditions.ts';
import type { Update, Write } from '../store/params.ts';
import { inLane } from '../model/settle.ts';

/** The failure column of a contract, as it is now; null when cards stay in place or the column is gone. */
export async function failurePlace(engine: Engine, column: Column): Promise<Place | null> {
  const id = column.contract.on_failure_column_id;
  return id === null ? null : ((await findColumn(engine, id)) ?? null);
}

/** The change that ends an expired hold: back to its queue at once, or dead with its attempts used up. */
export async function expiryOf(
  engine: Engine,
  job: Job,
  column: Column,
): Promise<{ change: Change; also: Write[] }> {
  const now = engine.deps.now();
  const over = lifeOver(job, now);
  const op = over ? 'time_out' : 'expire';
  const alive = attemptsLeft(job, column.contract.max_attempts);
  const left = { ...(over ? withoutHold(job) : withoutLease(job)), ...abandonedBy(job, now) };
  const after = alive
    ? settle(left, column, now)
    : { ...deadLettered(job, await failurePlace(engine, column), now), ...abandonedBy(job, now) };
  const ended = note(over ? 'card.lease.timed_out' : 'card.lease.expired', SYSTEM, job, leaseNote(job));
  const events: EventNote[] = alive
    ? [ended]
    : [ended, note('card.lease.deadlettered', SYSTEM, job, leaseNote(job))];
  const { write } = closeRun(
    job,
    {
      outcome: over ? 'timed_out' : 'expired',
      verb: op,
      by: SYSTEM.id,
      error: over ? 'The lease reached its longest permitted life' : 'The lease expired without a heartbeat',
      ...(alive ? {} : { dead_lettered: true as const }),
    },
    now,
  );
  return { change: { op, before: job, after, events }, also: [write] };
}

/** Ends an expired hold. False when its holder or another came between. */
export async function endExpired(engine: Engine, job: Job, column: Column): Promise<boolean> {
  const { change, also } = await expiryOf(engine, job, column);
  const outcome = await writeChange(engine, change, also);
  return outcome.done;
}

/** An alarm that rang before the deadline, set to it. Silent, and harmless when another was quicker. */
export async function rearm(engine: Engine, job: Job): Promise<void> {
  const { pos } = inLane(job);
  const pins = { run: job.run, expires_at: job.expires_at ?? 0 };
  const write: Update = {
    kind: 'update',
    key: jobKey(job.pk),
    set: { pos, op: 'rearm' },
    remove: [],
    condition: conditionOf('rearm', pins),
  };
  await engine.store.write(write);
}

/** A card whose wait is over, put among the ready ones; its times no longer matter. */
export async function promote(engine: Engine, job: Job, column: Column): Promise<boolean> {
  const { not_before: _passed, ...rest } = job;
  const after = settle(rest, column, engine.deps.now());
  if (after.lane === job.lane && after.pos === job.pos) return false;
  const outcome = await writeChange(engine, { op: 'promote', before: job, after, events: [] });
  return outcome.done;
}
