/**
 * What a change of one card means for the cards on the other ends of its links, whatever verb made it: its
 * children when it becomes done or opens again, itself when it comes to stand elsewhere while its parents are open.
 */
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { readableJob, sideWrite, type Change } from '../jobs.ts';
import { CHILDREN_GRACE_MS } from '../policy.ts';
import type { Actor, Job } from '../store/items.ts';
import { jobKey } from '../store/keys.ts';
import type { Write } from '../store/params.ts';
import { admitted } from '../graphs/staged.ts';
import { timerPlace, timerPut } from './children-timer.ts';
import type { Edge, EdgePage } from './edges.ts';
import { isGated, NO_PARENTS, parentFacts, withParentFacts } from './facts.ts';
import { gateChange, lookQuietly, standing } from './look.ts';
import { isSatisfied } from './satisfied.ts';
import { firstChildren, wakeFirst } from './wake.ts';

export interface LinkEffects {
  /** The card itself, its parents' facts brought up to date where the change calls for it. */
  readonly job: Job;
  /** Written together with the change. */
  readonly also: readonly Write[];
  /** What follows the write. None fails: what it leaves undone has a timer. */
  readonly afterwards: readonly (() => Promise<void>)[];
}

export async function linkEffects(engine: Engine, before: Job, after: Job, by: Actor): Promise<LinkEffects> {
  const wasDone = isSatisfied(before);
  const isDone = isSatisfied(after);
  if (!wasDone && isDone) return doneEffects(engine, after, await firstChildren(engine, after.pk));
  if (wasDone && !isDone) return openedEffects(engine, before, after, by);
  const elsewhere = before.column_id !== after.column_id && isGated(after);
  if (elsewhere || before.container !== after.container) return lookedAt(engine, after);
  return { ...NO_EFFECTS, job: after };
}

export const NO_EFFECTS: Pick<LinkEffects, 'also' | 'afterwards'> = { also: [], afterwards: [] };

/**
 * The same for a card that its holder lets go of. A card without children costs nothing here: they were read
 * beside it, and a link made since would have touched the hold. One that is let go of late has none to touch.
 *
 * @param children As read beside the card; undefined for a verb that makes nothing done.
 */
export async function closingEffects(
  engine: Engine,
  closing: { readonly before: Job; readonly after: Job; readonly children: EdgePage | undefined },
): Promise<Pick<LinkEffects, 'also' | 'afterwards'>> {
  const { before, after, children } = closing;
  if (children === undefined || !isSatisfied(after)) return NO_EFFECTS;
  if (children.edges.length === 0 && before.state === 'leased') return NO_EFFECTS;
  return doneEffects(engine, after, children);
}

/** A card that becomes done, with its children as they were read before. */
async function doneEffects(engine: Engine, after: Job, { edges }: EdgePage): Promise<LinkEffects> {
  const timer = await timerFor(engine, after, edges[0], engine.deps.now() + CHILDREN_GRACE_MS);
  const pos = timer === null ? null : String(timer.item['pos']);
  return {
    job: after,
    also: timer === null ? [] : [timer],
    afterwards: [async () => wakeFirst(engine, after, pos)],
  };
}

async function timerFor(engine: Engine, job: Job, next: Edge | undefined, due: number, seen?: string) {
  const place = next === undefined ? null : await timerPlace(engine, job.board_id, next.child, due);
  return place === null ? null : timerPut(job, place, seen);
}

/** The first children go out of the ready ones in the very write that opens the card; a timer sees to the rest. */
async function openedEffects(engine: Engine, before: Job, after: Job, by: Actor): Promise<LinkEffects> {
  const [facts, children] = await Promise.all([
    parentFacts(engine, [after]),
    firstChildren(engine, after.pk),
  ]);
  const column = await findColumn(engine, after.column_id);
  const job = standing(withParentFacts(after, facts.get(after.pk) ?? NO_PARENTS), column, engine.deps.now());
  const withdrawn = await withdrawnWrites(engine, children.edges, by);
  const last = children.edges.at(-1);
  const timer =
    children.next === undefined ? null : await timerFor(engine, before, last, engine.deps.now(), last?.child);
  return {
    job,
    also: [...withdrawn, ...(timer === null ? [] : [timer])],
    afterwards: [async () => lookQuietly(engine, job.pk)],
  };
}

async function withdrawnWrites(engine: Engine, edges: readonly Edge[], by: Actor): Promise<Write[]> {
  const items = await engine.store.batchGet(edges.map(({ child }) => jobKey(child)));
  const changes = await Promise.all(
    edges.map(async (edge, at) => {
      const job = readableJob(items[at], edge.child);
      if (job === undefined || job === 'corrupt') return null;
      const child = await admitted(engine, job);
      return child === undefined ? null : withdrawal(engine, child, edge, by);
    }),
  );
  return changes.flatMap((change) => (change === null ? [] : [sideWrite(engine, change)]));
}

/** A child that waits already is written too: a look that saw the parent done is refused. */
async function withdrawal(engine: Engine, child: Job, edge: Edge, by: Actor): Promise<Change | null> {
  if (child.state === 'deleted' || child.state === 'done') return null;
  const isSub = edge.sub && child.container === true;
  const facts = {
    parentsOpen: child.parents_open === true || !isSub,
    subsDone: child.subs_done === true && !isSub,
  };
  const column = await findColumn(engine, child.column_id);
  const change = gateChange(child, facts, column, engine.deps.now(), by);
  return change ?? { op: 'touch', before: child, after: child, events: [] };
}

function lookedAt(engine: Engine, job: Job): LinkEffects {
  return { job, also: [], afterwards: [async () => lookQuietly(engine, job.pk)] };
}
