/** Taking a link away: the child may be ready without it. */
import { findJob, openBoard } from '../cards/read.ts';
import { findColumn } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { note, readCard, type Change } from '../jobs.ts';
import { expression } from '../store/conditions.ts';
import { cardKey, parentEdgeKey } from '../store/keys.ts';
import type { Write } from '../store/params.ts';
import { edgeDeletes } from './edges.ts';
import { NO_PARENTS, parentFacts, withParentFacts } from './facts.ts';
import { standing } from './look.ts';
import { finishParents } from './pending-parents.ts';

/**
 * The change of the child and what goes with it. The parent may be gone.
 *
 * @throws Problem `not_found` when there is no such link.
 */
export async function unlinkChange(
  engine: Engine,
  caller: Caller,
  { parent, child: childId }: { parent: string; child: string },
): Promise<{ change: Change; also: Write[] }> {
  const child = await findJob(engine, caller, childId);
  await openBoard(engine, caller, child.board_id);
  await finishParents(engine, childId);
  const edge = await engine.store.get(parentEdgeKey(childId, parent));
  if (edge === undefined) throw notFound('link', `${parent} -> ${childId}`);
  const [facts, column, former] = await Promise.all([
    parentFacts(engine, [child], { except: parent }),
    findColumn(engine, child.column_id),
    noLongerContained(engine, parent, childId),
  ]);
  const gated = withParentFacts(child, facts.get(childId) ?? NO_PARENTS);
  const after = standing(gated, column, engine.deps.now());
  const by = actorOf(caller);
  const events = [note('card.unlinked', by, child, { reason: `waits no longer for ${parent}` })];
  if (child.state !== 'ready' && after.state === 'ready') events.push(note('card.ready', by, child));
  return {
    change: { op: 'unlink', before: child, after, events },
    also: [...edgeDeletes({ parent, child: childId }), ...former],
  };
}

/** A sub-card that is unlinked from its container names it no longer. */
async function noLongerContained(engine: Engine, cardId: string, containerId: string): Promise<Write[]> {
  const read = await readCard(engine, cardId).catch(() => undefined);
  if (read?.card.container_id !== containerId) return [];
  const condition = expression('#container_id = :c_container_id', { container_id: containerId });
  return [{ kind: 'update', key: cardKey(cardId), set: {}, remove: ['container_id'], condition }];
}
