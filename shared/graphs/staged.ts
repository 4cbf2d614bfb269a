/**
 * Staged cards: written before their graph is committed, and in no lane. Until it is committed they do not exist
 * for anybody; from that moment on whoever reads one puts it where it belongs. This file is below jobs.ts, through
 * which every card is read.
 */
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { lanePosition } from '../model/settle.ts';
import { conditionOf } from '../store/conditions.ts';
import { JobSchema, type Job } from '../store/items.ts';
import { graphKey, jobKey, shardOf } from '../store/keys.ts';
import { GraphSchema } from '../store/link-items.ts';
import type { Update } from '../store/params.ts';

/** Of the graphs that these cards are staged by, those that are committed; read strongly. */
export async function committedGraphs(
  engine: Engine,
  jobs: readonly Pick<Job, 'staged'>[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(jobs.flatMap(({ staged }) => (staged === undefined ? [] : [staged])))];
  const items = ids.length === 0 ? [] : await engine.store.batchGet(ids.map(graphKey));
  return new Set(ids.filter((_, at) => GraphSchema.safeParse(items[at]).data?.state === 'committed'));
}

/** The card as it stands once its graph is committed; undefined while it does not exist yet. */
export async function admitted(engine: Engine, job: Job): Promise<Job | undefined> {
  if (job.staged === undefined) return job;
  const committed = await committedGraphs(engine, [job]);
  return committed.has(job.staged) ? unstage(engine, job) : undefined;
}

/**
 * Puts a card of a committed graph into its lane, its first event with it. Done already, it is as it is now;
 * undefined when it is gone.
 */
export async function unstage(engine: Engine, job: Job): Promise<Job | undefined> {
  const { staged = '', ...card } = job;
  const now = engine.deps.now();
  const column = await findColumn(engine, job.column_id);
  const after: Job = {
    ...card,
    ...lanePosition(job, shardOf(job.pk, column?.shards ?? 1)),
    op: 'create',
    sequence: 1,
    updated_at: now,
  };
  const write: Update = {
    kind: 'update',
    key: jobKey(job.pk),
    set: { lane: after.lane, pos: after.pos, op: after.op, sequence: after.sequence, updated_at: now },
    remove: ['staged'],
    condition: conditionOf('unstage', { staged }),
  };
  const written = await engine.store.write(write);
  if (written.ok) return after;
  return written.old === undefined ? undefined : JobSchema.parse(written.old);
}
