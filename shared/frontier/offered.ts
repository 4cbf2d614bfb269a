/**
 * What one column offers one asker at this moment: the claim's own reading of the lanes and its own choice, with
 * each card read strongly instead of written. Nothing is changed by looking.
 */
import { candidates, isFor, type Asker, type Candidate } from '../claim/pick.ts';
import { isTimed, readLane, readLanes, shardsUpTo, type Lanes, type TimedEntry } from '../claim/lanes.ts';
import { ColumnMemory } from '../claim/memory.ts';
import { awaitedUntil, awaiting, endedIn } from '../claim/pulse.ts';
import { emptyReason, type EmptyReason } from '../claim/reason.ts';
import { inputErrors } from '../claim/input.ts';
import { schemaNumber } from '../claim/take.ts';
import { hasRoom } from '../claim/room.ts';
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { attemptsLeft, leaseExpired } from '../model/hold.ts';
import { assigneeAt } from '../model/reservation.ts';
import { waitsOn } from '../model/settle.ts';
import type { WaitingOn } from '../model/states.ts';
import { COUNT_CAP, FILTER_WINDOW, INPUT_CHECKS_PER_CALL, LANE_PAGE } from '../policy.ts';
import { CardSchema, JobSchema, type Job } from '../store/items.ts';
import { cardKey, jobKey } from '../store/keys.ts';

export interface Offered {
  readonly column: Column;
  /** Ids, in claim order. */
  readonly ids: readonly string[];
  /** Null while there are any. */
  readonly reason: EmptyReason | null;
  /** Agents that hold live leases of the column. */
  readonly agents: ReadonlySet<string>;
}

/** One look at a column: what its lanes show, and the cards behind that. */
interface Look {
  readonly column: Column;
  readonly asker: Asker;
  readonly lanes: Lanes;
  readonly jobs: ReadonlyMap<string, Job>;
  readonly now: number;
}

export async function offeredIn(
  engine: Engine,
  column: Column,
  asker: Omit<Asker, 'excludePrevious'>,
): Promise<Offered> {
  const now = engine.deps.now();
  const own: Asker = { ...asker, excludePrevious: column.contract.exclude_previous_holder };
  const [lanes, timed] = await Promise.all([
    readLanes(engine, column.column_id, own.agent, FILTER_WINDOW, shardsUpTo(column.shardsRead)),
    readLane(engine, column.column_id, 'T', { limit: COUNT_CAP }),
  ]);
  const shown: Lanes = { ...lanes, timed: timed.entries.filter(isTimed) };
  const until = await awaitedUntil(engine, column, endedIn(shown, now));
  const wide = until > 0 ? awaiting(shown, until) : shown;
  const pool = candidates(wide, own, new ColumnMemory(), now);
  const jobs = await jobsOf(engine, [...pool, ...held(wide)]);
  const look: Look = { column, asker: own, lanes: wide, jobs, now };
  const offered = await offerable(engine, look, pool);
  const agents = new Set(held(wide).flatMap(({ pk }) => holder(jobs.get(pk), now)));
  const reason = await reasonFor(engine, look, offered);
  return { column, ids: reason === null ? offered : [], reason, agents };
}

const held = ({ timed }: Lanes): TimedEntry[] => timed.filter(({ at }) => at.kind === 'h');

function holder(job: Job | undefined, now: number): string[] {
  return job?.state === 'leased' && !leaseExpired(job, now) ? [job.agent ?? ''] : [];
}

/** Read strongly; one that this version cannot read is offered to nobody. */
async function jobsOf(engine: Engine, entries: readonly { pk: string }[]): Promise<ReadonlyMap<string, Job>> {
  const ids = [...new Set(entries.map(({ pk }) => pk))];
  const items = ids.length === 0 ? [] : await engine.store.batchGet(ids.map(jobKey));
  return new Map(
    items.flatMap((item, at) => {
      const job = JobSchema.safeParse(item).data;
      return job === undefined ? [] : [[ids[at] ?? '', job]];
    }),
  );
}

/** Those of the pool that a claim would be given, its input checked where the schema has changed since. */
async function offerable(
  engine: Engine,
  { column, asker, jobs, now }: Look,
  pool: readonly Candidate[],
): Promise<string[]> {
  const fit = [...new Set(pool.map(({ pk }) => pk))].flatMap((id) => {
    const job = jobs.get(id);
    return job !== undefined && isOfferable(job, column, asker, now) ? [job] : [];
  });
  const schemaNo = schemaNumber(column);
  const unchecked = schemaNo === undefined ? [] : fit.filter((job) => job.input_no !== schemaNo);
  const passed = await passing(
    engine,
    column,
    unchecked.filter(({ state }) => state !== 'leased'),
  );
  return fit.filter((job) => !unchecked.includes(job) || passed.has(job.pk)).map(({ pk }) => pk);
}

/** A held card whose lease has run out is offered too, unless something has come to keep it meanwhile. */
function isOfferable(job: Job, column: Column, asker: Asker, now: number): boolean {
  const free = job.state === 'ready' || job.state === 'waiting' || leaseExpired(job, now);
  return (
    free &&
    job.column_id === column.column_id &&
    job.staged === undefined &&
    waitsOn(job, now) === null &&
    attemptsLeft(job, column.contract.max_attempts) &&
    isFor({ ...job, assignee: assigneeAt(job, now) }, asker)
  );
}

async function passing(engine: Engine, column: Column, jobs: readonly Job[]): Promise<ReadonlySet<string>> {
  const checked = jobs.slice(0, INPUT_CHECKS_PER_CALL);
  if (checked.length === 0) return new Set();
  const items = await engine.store.batchGet(checked.map(({ pk }) => cardKey(pk)));
  const passed = checked.filter((_, at) => {
    const card = CardSchema.safeParse(items[at]).data;
    return card !== undefined && inputErrors(column, card.properties).length === 0;
  });
  return new Set(passed.map(({ pk }) => pk));
}

async function reasonFor(
  engine: Engine,
  { column, asker, lanes, jobs, now }: Look,
  offered: readonly string[],
): Promise<EmptyReason | null> {
  if (column.paused) return 'paused';
  if (offered.length > 0) return (await hasRoom(engine, column, asker.name)) ? null : 'concurrency_limit';
  const timed = lanes.timed.slice(0, LANE_PAGE);
  const withheld = timed.some((entry) => entry.at.due <= now && !isFor(entry, asker));
  const ended = timed.filter(({ pk, at }) => at.kind === 'h' && leaseEnded(jobs.get(pk), now));
  const left = timed.filter((entry) => !ended.includes(entry));
  const waits = ended.map(({ pk }) => waitAfter(jobs.get(pk), column, now));
  const told = await emptyReason(engine, column.column_id, { ...lanes, timed: left }, withheld);
  const reason = told !== 'not_yours' && waits.includes('schedule') ? 'all_waiting' : told;
  const parked = reason === 'empty' || reason === 'containers_only';
  if (parked && waits.some((wait) => wait !== null && wait !== 'container')) return 'all_blocked';
  return parked && waits.includes('container') ? 'containers_only' : reason;
}

const leaseEnded = (job: Job | undefined, now: number): boolean =>
  job !== undefined && leaseExpired(job, now);

/** What a card waits on once the claim that meets its expired lease has ended it; null when it is dead by then. */
function waitAfter(job: Job | undefined, column: Column, now: number): WaitingOn | null {
  const alive = job !== undefined && attemptsLeft(job, column.contract.max_attempts);
  return alive ? waitsOn(job, now) : null;
}
