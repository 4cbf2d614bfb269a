/**
 * What follows a graph's commit, and what becomes of one that is never committed. Both may be done twice, by the
 * request itself, by a claim that meets the graph's entry, and by the reaper.
 */
import type { Engine } from '../engine.ts';
import { readableJob } from '../jobs.ts';
import { edgePuts, readAll, readChildren, readParents, type Edge } from '../links/edges.ts';
import { settleLinked } from '../links/linked.ts';
import { lookAtCards } from '../links/look.ts';
import { GRAPH_ABORT_MS, LIMITS, WALK_WIDTH } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import type { Job } from '../store/items.ts';
import { bodyKey, cardKey, childEdgeKey, graphKey, jobKey, parentEdgeKey, type Key } from '../store/keys.ts';
import type { GraphItem } from '../store/link-items.ts';
import { inWidth } from '../width.ts';
import { abortWrite, entryDelete, laterWrite, listGraphs, readGraph } from './register.ts';
import { unstage } from './staged.ts';

/**
 * Puts the cards of a committed graph into their lanes, those that wait first and those that are offered last: a
 * claimer never meets half of it. Then the links from cards outside it are written, and what they touch looked at.
 */
export async function finishGraph(
  engine: Engine,
  graphId: string,
  graph: GraphItem,
  known?: Borders,
): Promise<void> {
  const ids = Object.values(graph.cards);
  const items = await engine.store.batchGet(ids.map(jobKey));
  const jobs = items.flatMap((item, at) => {
    const job = readableJob(item, ids[at] ?? '');
    return job === undefined || job === 'corrupt' ? [] : [job];
  });
  const left = jobs.filter(({ staged }) => staged === graphId);
  const isReady = ({ state }: Job) => state === 'ready';
  const enter = async (job: Job) => unstage(engine, job);
  await inWidth(
    WALK_WIDTH,
    left.filter((job) => !isReady(job)),
    enter,
  );
  await inWidth(WALK_WIDTH, left.filter(isReady), enter);
  await joinOthers(engine, graph.board_id, known ?? (await readBorders(engine, ids)));
  await engine.store.write(entryDelete(graphId));
}

/** Where a graph touches cards outside it. */
export interface Borders {
  /** Links from cards outside to its own. */
  readonly from: readonly Edge[];
  /** Cards outside that its own block. */
  readonly onto: readonly string[];
}

async function joinOthers(engine: Engine, boardId: string, { from, onto }: Borders): Promise<void> {
  const children = Map.groupBy(from, ({ child }) => child);
  await inWidth(WALK_WIDTH, [...children], async ([child, edges]) => {
    for (const edge of edges) await engine.store.write(edgePuts(boardId, edge)[0]);
    await settleLinked(
      engine,
      child,
      edges.map(({ parent }) => parent),
    );
  });
  await lookAtCards(engine, onto);
}

async function readBorders(engine: Engine, ids: readonly string[]): Promise<Borders> {
  const own = new Set(ids);
  const found = await inWidth(WALK_WIDTH, ids, async (id) => edgesOf(engine, id));
  return {
    from: found.flatMap(({ parents }) => parents.filter(({ parent }) => !own.has(parent))),
    onto: [...new Set(found.flatMap(({ children }) => children.map(({ child }) => child)))].filter(
      (id) => !own.has(id),
    ),
  };
}

async function edgesOf(
  engine: Engine,
  id: string,
): Promise<{ parents: readonly Edge[]; children: readonly Edge[] }> {
  const most = LIMITS.linksShown + LIMITS.graphCards;
  const [parents, children] = await Promise.all([
    readAll((page) => readParents(engine, id, page), most),
    readAll((page) => readChildren(engine, id, page), most),
  ]);
  return { parents, children };
}

/** Takes a graph back that was not committed. Null when it was: then it is there to be finished. */
export async function abortGraph(engine: Engine, graphId: string): Promise<'aborted' | 'committed'> {
  const written = await engine.store.write(abortWrite(graphId));
  const graph = await readGraph(engine, graphId);
  if (!written.ok && graph?.state === 'committed') return 'committed';
  if (graph !== undefined)
    await inWidth(WALK_WIDTH, Object.values(graph.cards), async (id) => unmake(engine, graphId, id));
  await engine.store.write({ kind: 'delete', key: graphKey(graphId) });
  await engine.store.write(entryDelete(graphId));
  return 'aborted';
}

/** The halves of its links under other cards first: without the card nobody would find them. JOB last. */
async function unmake(engine: Engine, graphId: string, id: string): Promise<void> {
  const { parents, children } = await edgesOf(engine, id);
  const halves: Key[] = [
    ...parents.map(({ parent }) => childEdgeKey(parent, id)),
    ...children.map(({ child }) => parentEdgeKey(child, id)),
    ...parents.map(({ parent }) => parentEdgeKey(id, parent)),
    ...children.map(({ child }) => childEdgeKey(id, child)),
    bodyKey(id),
    cardKey(id),
  ];
  for (const key of halves) await engine.store.write({ kind: 'delete', key });
  const condition = expression('#staged = :c_staged', { staged: graphId });
  await engine.store.write({ kind: 'delete', key: jobKey(id), condition });
}

/** One step for a graph that is not finished. True when its entry is gone, or rings later. */
export async function tendGraph(engine: Engine, graphId: string): Promise<boolean> {
  const graph = await readGraph(engine, graphId);
  if (graph === undefined) await engine.store.write(entryDelete(graphId));
  else if (graph.state === 'committed') await finishGraph(engine, graphId, graph);
  else if (graph.state === 'aborted' || engine.deps.now() - graph.opened_at >= GRAPH_ABORT_MS) {
    await abortGraph(engine, graphId);
  } else await engine.store.write(laterWrite(graphId, graph.opened_at + GRAPH_ABORT_MS));
  return true;
}

/** One run of the reaper over all of them, until the clock passes `until` (ms). */
export async function tendGraphs(engine: Engine, until: number): Promise<void> {
  for (const id of await listGraphs(engine)) {
    if (engine.deps.now() >= until) return;
    await tendGraph(engine, id);
  }
}
