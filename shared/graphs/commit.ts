/**
 * Committing a graph: one transaction that makes all its cards exist, holds the request's record, and changes the
 * cards outside it that come to wait for it.
 */
import type { Caller, Engine } from '../engine.ts';
import { findColumn } from '../columns.ts';
import { actorOf } from '../engine.ts';
import { problem } from '../errors.ts';
import { note, readJob, sideWrite, type Change } from '../jobs.ts';
import { mustBeContainer } from '../links/birth.ts';
import type { Edge } from '../links/edges.ts';
import { standing } from '../links/look.ts';
import { CONFLICT_JITTER_MS, DECIDE_RETRIES } from '../policy.ts';
import type { Update, Write } from '../store/params.ts';
import { commitWrite } from './register.ts';

export interface Commit {
  readonly graphId: string;
  /** Kept for good: a card is broken down once. */
  readonly kept: boolean;
  /** Refuses the commit when another link was made since the walk; null when none can matter. */
  readonly version: Update | null;
  /** Made anew for each try. */
  readonly others: () => Promise<readonly Write[]>;
  readonly record: Write | null;
}

/** `refused`: by a version, a record or an abort, all of which say that the request must begin anew. */
export async function commitGraph(engine: Engine, commit: Commit): Promise<'committed' | 'refused'> {
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const fixed = [
      commitWrite(commit.graphId, engine.deps.now(), commit.kept),
      ...(commit.version === null ? [] : [commit.version]),
      ...(commit.record === null ? [] : [commit.record]),
    ];
    const written = await engine.store.transact([...fixed, ...(await commit.others())]);
    if (written.ok) return 'committed';
    if (written.refused.slice(0, fixed.length).some((part) => part !== null)) return 'refused';
    await engine.deps.sleep(engine.deps.random() * CONFLICT_JITTER_MS * (attempt + 1));
  }
  return 'refused';
}

/** The writes of cards outside that come to wait for cards of the graph. */
export async function blockedWrites(
  engine: Engine,
  caller: Caller,
  edges: readonly Edge[],
): Promise<Write[]> {
  const children = Map.groupBy(edges, ({ child }) => child);
  const changes = await Promise.all(
    [...children].map(async ([id, into]) => blockedChange(engine, caller, id, into)),
  );
  return changes.map((change) => sideWrite(engine, change));
}

async function blockedChange(
  engine: Engine,
  caller: Caller,
  id: string,
  into: readonly Edge[],
): Promise<Change> {
  const before = await readJob(engine, id);
  if (before === undefined || before.state === 'leased' || before.state === 'deleted') {
    throw problem(
      'conflict',
      `The card ${id} is held by a worker or gone, and gets no new parent. Nothing was made.`,
      { card_id: id },
    );
  }
  if (into.some(({ sub }) => sub)) mustBeContainer(before);
  const { subs_done: _done, ...rest } = before;
  const open = into.some(({ sub }) => sub) ? rest : before;
  const gated = into.some(({ sub }) => !sub) ? { ...open, parents_open: true as const } : open;
  const column = await findColumn(engine, before.column_id);
  const reason = `waits for ${into.map(({ parent }) => parent).join(', ')}`;
  return {
    op: 'link',
    before,
    after: standing(gated, column, engine.deps.now()),
    events: [note('card.linked', actorOf(caller), before, { reason })],
  };
}
