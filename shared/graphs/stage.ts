/**
 * Staging: the cards and links of a graph, written before it is committed and seen by nobody. Edges that come from
 * cards outside the graph are written after the commit, since their halves are counted there.
 */
import { bodyWrite, isLong, storedCard } from '../cards/content.ts';
import type { WholeCard } from '../cards/read.ts';
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { edgePuts } from '../links/edges.ts';
import { GRAPH_STALE_MS, GRAPH_WIDTH } from '../policy.ts';
import { ABSENT } from '../store/conditions.ts';
import type { Job } from '../store/items.ts';
import { TRANSACTION_MAX } from '../store/limits.ts';
import type { GraphItem } from '../store/link-items.ts';
import type { Write } from '../store/params.ts';
import { inWidth } from '../width.ts';
import type { GraphPlan } from './plan.ts';

/** A card out of its lane, its first event not made yet. */
function staged(job: Job, graphId: string): Job {
  const { lane: _lane, pos: _pos, ...rest } = job;
  return { ...rest, staged: graphId, op: 'stage', sequence: 0 };
}

export async function stageCards(
  engine: Engine,
  graph: GraphItem & { readonly id: string },
  plan: GraphPlan,
  cards: readonly WholeCard[],
): Promise<void> {
  // On condition that nothing is there: carried out once more, long after its answer was given up, a staging would
  // undo what has become of the card since. A refusal says that it was carried out before, and is as good as done.
  const own = cards.flatMap(({ job, card, body }): Write[] => [
    { kind: 'put', item: staged(job, graph.id), condition: ABSENT },
    { kind: 'put', item: storedCard(card), condition: ABSENT },
    ...(isLong(body) ? [bodyWrite(card, body)] : []),
  ]);
  // First what lies under the graph's own cards: by that an abort finds what lies under others.
  const halves = plan.edges.flatMap((edge) => {
    const [underParent, underChild] = edgePuts(graph.board_id, edge);
    return [
      ...(plan.isNew(edge.parent) ? [{ own: true, write: underParent }] : []),
      { own: plan.isNew(edge.child), write: underChild },
    ];
  });
  const writesOf = (isOwn: boolean) => halves.filter((half) => half.own === isOwn).map(({ write }) => write);
  await putAll(engine, graph, [...own, ...writesOf(true)]);
  await putAll(engine, graph, writesOf(false));
}

async function putAll(engine: Engine, graph: GraphItem, writes: readonly Write[]): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(writes.length / TRANSACTION_MAX) }, (_, at) =>
    writes.slice(at * TRANSACTION_MAX, (at + 1) * TRANSACTION_MAX),
  );
  await inWidth(GRAPH_WIDTH, chunks, async (chunk) => {
    mustBeFresh(engine, graph);
    await engine.store.transact(chunk);
  });
}

/** What is written later than this may outlive the graph's abort. */
function mustBeFresh(engine: Engine, graph: GraphItem): void {
  if (engine.deps.now() - graph.opened_at < GRAPH_STALE_MS) return;
  throw problem('throttled', 'Writing the cards took too long, and none of them was made. Try again.', {
    retry_after_seconds: 1,
  });
}
