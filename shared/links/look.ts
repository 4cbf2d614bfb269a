/**
 * Looking at cards whose parents have changed: whether they are ready is decided here, after the parent's write
 * and never in it. Two last parents that are done at once would each see the other open; whoever looks afterwards
 * sees both. It is a conditional write that may be done twice.
 */
import { findColumn } from '../columns.ts';
import { SYSTEM, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { note, parseJob, writeChange, type Change } from '../jobs.ts';
import { admitted } from '../graphs/staged.ts';
import { inLane, settle, type Place } from '../model/settle.ts';
import { CHILDREN_PER_LOOK, CONFLICT_JITTER_MS, DECIDE_RETRIES } from '../policy.ts';
import type { Actor, EventNote, Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import { inWidth } from '../width.ts';
import { NO_PARENTS, parentFacts, withParentFacts, type ParentFacts } from './facts.ts';

interface LookOptions {
  /** Parent that was just done: reading goes on behind it. */
  readonly after?: string;
  /** On whose account; default the system's. */
  readonly by?: Actor;
  /**
   * A parent has opened again: a card that waits already is written all the same, so that another look which saw
   * the parent done is refused.
   */
  readonly touch?: boolean;
}

/** Brings each card in line with its parents as they are now; a card that is gone is passed by. */
export async function lookAtCards(
  engine: Engine,
  ids: readonly string[],
  options: LookOptions = {},
): Promise<void> {
  let left = [...ids];
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt >= DECIDE_RETRIES) throw tooBusy();
    if (attempt > 0) await engine.deps.sleep(engine.deps.random() * CONFLICT_JITTER_MS * attempt);
    const jobs = await readJobs(engine, left);
    const facts = await parentFacts(engine, jobs, { after: options.after });
    const done = await inWidth(CHILDREN_PER_LOOK, jobs, async (job) =>
      putRight(engine, job, facts.get(job.pk) ?? NO_PARENTS, options),
    );
    left = jobs.flatMap((job, at) => (done[at] === true ? [] : [job.pk]));
  }
}

/** The same, for what follows a write that stands in any case: a parent that is done later looks again. */
export async function lookQuietly(engine: Engine, cardId: string): Promise<void> {
  try {
    await lookAtCards(engine, [cardId]);
  } catch {
    // Nothing to tell the caller: what was asked for is done.
  }
}

function tooBusy() {
  return problem('throttled', 'Other writers kept changing the cards that wait on this one. Try again.', {
    retry_after_seconds: 1,
  });
}

/** Cards that are there, read strongly; one that cannot be read stops nobody. */
async function readJobs(engine: Engine, ids: readonly string[]): Promise<Job[]> {
  const items = await engine.store.batchGet(ids.map(jobKey));
  const found = await Promise.all(
    items.map(async (item, at) => {
      if (item === undefined) return undefined;
      try {
        return await admitted(engine, parseJob(item, ids[at] ?? ''));
      } catch {
        return undefined;
      }
    }),
  );
  return found.filter((job): job is Job => job !== undefined && job.state !== 'deleted');
}

/** False when another writer came between. */
async function putRight(
  engine: Engine,
  job: Job,
  facts: ParentFacts,
  { by = SYSTEM, touch = false }: LookOptions,
): Promise<boolean> {
  const column = await findColumn(engine, job.column_id);
  const change = gateChange(job, facts, column, engine.deps.now(), by);
  if (change !== null) return (await writeChange(engine, change)).done;
  if (!touch || job.state !== 'waiting') return true;
  return (await writeChange(engine, { op: 'touch', before: job, after: job, events: [] })).done;
}

/** The change that brings a card in line with its parents' facts; null when it is. */
export function gateChange(
  job: Job,
  facts: ParentFacts,
  column: Place | undefined,
  now: number,
  by: Actor,
): Change | null {
  const gated = withParentFacts(job, facts);
  if (gated.parents_open === job.parents_open && gated.subs_done === job.subs_done) return null;
  const after = standing(gated, column, now);
  return { op: 'wake', before: job, after, events: gateEvents(job, after, by) };
}

/** A card that somebody brought to its state keeps it; the others follow from their facts. */
export function standing(job: Job, column: Place | undefined, now: number): Job {
  const derived = job.state === 'idle' || job.state === 'waiting' || job.state === 'ready';
  if (derived && column !== undefined) return settle(job, column, now);
  return job.state === 'leased' || job.state === 'deleted' ? job : inLane(job);
}

/** One event where the card becomes ready, and one where it is taken out of the ready ones again. */
export function gateEvents(before: Job, after: Job, by: Actor): EventNote[] {
  if (before.state !== 'ready' && after.state === 'ready') return [note('card.ready', by, before)];
  if (before.state === 'ready' && after.state === 'waiting')
    return [note('card.dependency_wait', by, before)];
  return [];
}
