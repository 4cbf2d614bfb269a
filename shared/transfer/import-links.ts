/**
 * What a card waits for. The links of a row are written in as many transactions as they need, and the card is looked
 * at when its last ones are there: by half of them it might be offered too early. A card that is nobody's parent yet
 * cannot close a cycle, and rows in the order of an export mostly find it so; else what it joins is read.
 */
import { problem } from '../errors.ts';
import { mustBeContainer } from '../links/birth.ts';
import { linkVersionWrite, mustCloseNoCycle } from '../links/cycles.ts';
import { edgePuts, readAll, readChildren, readParents, type Edge } from '../links/edges.ts';
import { settleLinked } from '../links/linked.ts';
import { isSatisfied } from '../links/satisfied.ts';
import { CONFLICT_JITTER_MS, DECIDE_RETRIES, LIMITS } from '../policy.ts';
import type { LinksRow } from '../schemas/transfer.ts';
import type { Job } from '../store/items.ts';
import { parentEdgeKey } from '../store/keys.ts';
import { mustBeThere, type CardNames, type Imported, type Importing } from './importing.ts';
import { LINKS_PER_WRITE } from './policy.ts';

export async function importLinks(importing: Importing, row: LinksRow, nameOf: CardNames): Promise<Imported> {
  const { engine } = importing;
  const child = mustBeThere(nameOf(row.card_id), row.card_id);
  const edges = edgesOf(row, child, nameOf);
  const there = await engine.store.batchGet(edges.map((edge) => parentEdgeKey(edge.child, edge.parent)));
  const left = edges.filter((_, at) => there[at] === undefined);
  if (left.length > 0) await mustTake(importing, child, left, row, nameOf);
  for (let at = 0; at < left.length; at += LINKS_PER_WRITE) {
    await writeEdges(importing, child.pk, left.slice(at, at + LINKS_PER_WRITE));
  }
  if (row.more !== true) {
    // Also when all were there: an earlier try may have been cut short before it looked.
    await settleLinked(
      engine,
      child.pk,
      edges.map(({ parent }) => parent),
    );
  }
  return { created: left.length > 0, id: nameOf(row.card_id).id };
}

/** @throws Problem `not_found` for a card that is not here, but for those that were gone at the export already. */
function edgesOf(
  { parents = [], sub_cards = [], gone = [], card_id }: LinksRow,
  child: Job,
  nameOf: CardNames,
) {
  const lost = new Set(gone);
  const edge = (source: string, sub: boolean): Edge => {
    const named = nameOf(source);
    if (!lost.has(source)) mustBeThere(named, source);
    if (named.id === child.pk) throw problem('conflict', `The card ${card_id} cannot block itself.`);
    return { parent: named.id, child: child.pk, sub };
  };
  const edges = [...parents.map((id) => edge(id, false)), ...sub_cards.map((id) => edge(id, true))];
  return [...new Map(edges.map((one) => [one.parent, one])).values()];
}

/** What linking them one by one would ask. */
async function mustTake(
  { engine }: Importing,
  child: Job,
  left: readonly Edge[],
  { parents = [] }: LinksRow,
  nameOf: CardNames,
): Promise<void> {
  if (left.some(({ sub }) => sub)) mustBeContainer(child);
  const open = parents.some((id) => !isDone(nameOf(id).job));
  if (child.state === 'leased' && open) {
    throw problem(
      'conflict',
      `The card ${child.pk} is held by '${child.agent ?? ''}', and a card that is being worked on gets no new parent.`,
      { card_id: child.pk },
    );
  }
  const blocking = left.filter(({ sub }) => !sub).length;
  if (blocking === 0) return;
  const before = await readAll((page) => readParents(engine, child.pk, page), LIMITS.linksShown);
  if (before.filter(({ sub }) => !sub).length + blocking <= LIMITS.parents) return;
  throw problem('conflict', `The card ${child.pk} would have more than ${LIMITS.parents} parents.`);
}

function isDone(job: ReturnType<CardNames>['job']): boolean {
  return typeof job === 'object' && isSatisfied(job);
}

async function writeEdges(
  { engine, board }: Importing,
  childId: string,
  edges: readonly Edge[],
): Promise<void> {
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const version = await linkVersionWrite(engine, board.id);
    const below = await readChildren(engine, childId, { limit: 1 });
    if (below.edges.length > 0) await mustCloseNoCycle(engine, edges);
    const written = await engine.store.transact([
      version,
      ...edges.flatMap((edge) => edgePuts(board.id, edge)),
    ]);
    if (written.ok) return;
    await engine.deps.sleep(engine.deps.random() * CONFLICT_JITTER_MS * (attempt + 1));
  }
  throw problem('throttled', 'Others kept linking cards of this board. Try again.', {
    retry_after_seconds: 1,
  });
}
