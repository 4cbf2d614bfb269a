/** The card that is broken down: from then on a container, which waits until its sub-cards are done. */
import { endExpired } from '../claim/expire.ts';
import { renewedHold } from '../cards/holder.ts';
import { workQueue } from '../cards/column-for.ts';
import { findColumn, type Board, type Column } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { notFound, problem } from '../errors.ts';
import type { EventType } from '../events/types.ts';
import { mustAllow, note, readJob, sideWrite } from '../jobs.ts';
import { standing } from '../links/look.ts';
import { entering, leaseExpired } from '../model/hold.ts';
import { GRAPH_STALE_MS } from '../policy.ts';
import type { Job } from '../store/items.ts';
import type { Update } from '../store/params.ts';
import { mustBeFree } from '../cards/free.ts';
import { abortGraph } from './finish.ts';
import { readGraph } from './register.ts';

/**
 * Refuses a second time, also when the first one's marks are all that is left of it. What an earlier try left
 * behind that died on the way is taken back.
 */
export async function mustBeWhole(engine: Engine, job: Job): Promise<void> {
  const graph = await readGraph(engine, job.pk);
  if (job.decomposed === true || graph?.state === 'committed') {
    throw problem(
      'conflict',
      `The card ${job.pk} was broken down before, and is never a second time: see its links. Add to it by creating ` +
        'cards with its id as container_id.',
      { card_id: job.pk },
    );
  }
  if (graph === undefined) return;
  if (graph.state === 'open' && engine.deps.now() - graph.opened_at < GRAPH_STALE_MS) {
    throw problem('conflict', 'The card is being broken down at this moment. Look again in a minute.', {
      card_id: job.pk,
    });
  }
  await abortGraph(engine, job.pk);
}

/** Where its sub-cards go, and itself from triage: the queue that it stands in, else the one where work is done. */
export async function decomposedInto(engine: Engine, board: Board, job: Job): Promise<Column | undefined> {
  const own = await findColumn(engine, job.column_id);
  return own?.queue === true ? own : workQueue(engine, board);
}

/** The root's write for the commit, decided on the card as it is now. */
export async function rootWrite(
  engine: Engine,
  caller: Caller,
  cardId: string,
  { queue, lease_token }: { queue: Column | undefined; lease_token: string | undefined },
): Promise<Update> {
  const read = await readJob(engine, cardId);
  if (read === undefined || read.state === 'deleted') throw notFound('card', cardId);
  await mustNotBeDecomposed(read);
  const by = actorOf(caller);
  const reason = 'waits for its sub-cards';
  if (lease_token !== undefined) {
    const { before, job, pins } = await renewedHold(engine, caller, read, lease_token);
    const events = [note('card.linked', by, before, { reason })];
    return sideWrite(engine, { op: 'decompose_held', before, after: container(job), events, pins });
  }
  const before = await freeJob(engine, read);
  mustAllow('decompose', before);
  const column = await findColumn(engine, before.column_id);
  const moves = column?.role === 'triage' && queue !== undefined;
  const types: EventType[] = moves ? ['card.linked', 'card.moved'] : ['card.linked'];
  const events = types.map((type) => note(type, by, before, { reason }));
  const now = engine.deps.now();
  const after = moves
    ? entering({ ...container(before), from_column_id: before.column_id }, queue, now, () =>
        engine.deps.random(),
      )
    : standing(container(before), column, now);
  return sideWrite(engine, { op: 'decompose', before, after, events });
}

function container(job: Job): Job {
  const { subs_done: _done, ...rest } = job;
  return { ...rest, container: true, decomposed: true, rev: job.rev + 1 };
}

async function mustNotBeDecomposed(job: Job): Promise<void> {
  if (job.decomposed !== true) return;
  throw problem('conflict', 'The card was broken down by another request at the same time.', {
    card_id: job.pk,
  });
}

async function freeJob(engine: Engine, job: Job): Promise<Job> {
  if (job.state !== 'leased') return job;
  mustBeFree(job, engine.deps.now());
  const column = await findColumn(engine, job.column_id);
  if (column !== undefined && leaseExpired(job, engine.deps.now())) await endExpired(engine, job, column);
  return (await readJob(engine, job.pk)) ?? job;
}
