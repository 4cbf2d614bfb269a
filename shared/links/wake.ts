/**
 * Waking: a card is done (or open again), and its children are looked at, page by page. The call that made it so
 * looks at the first page itself; claims, reaper and whoever follows the stream do the rest, each of them alike.
 */
import type { TimedEntry } from '../claim/lanes.ts';
import type { Engine } from '../engine.ts';
import { readJob } from '../jobs.ts';
import { CHILDREN_PER_LOOK, TIMER_TAKEN_MS } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { childEdgeKey, order, timedPos } from '../store/keys.ts';
import { ChildrenTimerSchema } from '../store/link-items.ts';
import { timerDelete, timerMove, timerPlace } from './children-timer.ts';
import { readChildren, type EdgePage } from './edges.ts';
import { lookAtCards } from './look.ts';
import { isSatisfied } from './satisfied.ts';

/** The first children of a card, and whether there are more. */
export async function firstChildren(engine: Engine, parentId: string): Promise<EdgePage> {
  return readChildren(engine, parentId, { limit: CHILDREN_PER_LOOK });
}

/**
 * Looks at a page of a card's children.
 *
 * @param seen Where to go on: the last child that was looked at.
 * @returns the last child of the page, or null when all have been seen.
 */
async function lookAtPage(
  engine: Engine,
  parentId: string,
  seen: string | undefined,
): Promise<string | null> {
  const start = seen === undefined ? undefined : { ...childEdgeKey(parentId, seen) };
  const [parent, page] = await Promise.all([
    readJob(engine, parentId).catch(() => undefined),
    readChildren(engine, parentId, { limit: CHILDREN_PER_LOOK, start }),
  ]);
  const ids = page.edges.map(({ child }) => child);
  const opened = parent !== undefined && !isSatisfied(parent);
  await lookAtCards(engine, ids, opened ? { touch: true } : { after: parentId });
  return page.next === undefined ? null : (ids.at(-1) ?? null);
}

/**
 * Looks at every child of a card that is done, or that opened again. May run twice, and beside claims and reaper.
 *
 * @param until Ends at a page's end past this moment (ms): then the timer goes on.
 */
export async function wakeChildren(engine: Engine, parentId: string, until = Infinity): Promise<void> {
  let seen = await lookAtPage(engine, parentId, undefined);
  while (seen !== null && engine.deps.now() < until) seen = await lookAtPage(engine, parentId, seen);
}

/**
 * What the call that made a card done does after its write: the first page, and then the timer that was put with
 * that write goes, or rings for the rest. Never fails: the timer does what was not done.
 */
export async function wakeFirst(
  engine: Engine,
  job: Pick<Job, 'pk' | 'board_id'>,
  timerPos: string | null,
): Promise<void> {
  try {
    const seen = await lookAtPage(engine, job.pk, undefined);
    if (timerPos !== null) await passOn(engine, job, timerPos, seen);
  } catch {
    // The card is done all the same, and its timer rings.
  }
}

/**
 * Rings a children's timer. True when this entry of the lane is gone.
 *
 * @param until Goes on from page to page until this moment (ms); one page in any case.
 */
export async function ringChildren(
  engine: Engine,
  entry: Pick<TimedEntry, 'pk' | 'lane' | 'pos'>,
  until = 0,
): Promise<boolean> {
  const pos = timedPos(engine.deps.now() + TIMER_TAKEN_MS, 't', order(0, 'taken'));
  const written = await engine.store.write(timerMove(entry.pk, entry.pos, { lane: entry.lane, pos }));
  if (!written.ok) return true;
  const timer = ChildrenTimerSchema.parse(written.item);
  let seen = await lookAtPage(engine, entry.pk, timer.seen);
  while (seen !== null && engine.deps.now() < until) seen = await lookAtPage(engine, entry.pk, seen);
  await passOn(engine, timer, pos, seen);
  return true;
}

/** Deletes the timer when all were seen, else makes it ring at once in the column of the next child. */
async function passOn(
  engine: Engine,
  timer: { readonly pk: string; readonly board_id: string },
  pos: string,
  seen: string | null,
): Promise<void> {
  const place = seen === null ? null : await nextPlace(engine, timer, seen);
  if (seen === null || place === null) await engine.store.write(timerDelete(timer.pk, pos));
  else await engine.store.write(timerMove(timer.pk, pos, place, seen));
}

async function nextPlace(engine: Engine, timer: { pk: string; board_id: string }, seen: string) {
  const start = { ...childEdgeKey(timer.pk, seen) };
  const { edges } = await readChildren(engine, timer.pk, { limit: 1, start });
  const next = edges[0]?.child;
  return next === undefined ? null : timerPlace(engine, timer.board_id, next, engine.deps.now());
}
