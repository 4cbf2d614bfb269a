/** Linking two cards that are there: what must hold, and what is written. */
import { endExpired } from '../claim/expire.ts';
import { renewedHold } from '../cards/holder.ts';
import { findJob, openBoard } from '../cards/read.ts';
import { findColumn } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { note, sideWrite, type Change } from '../jobs.ts';
import { leaseExpired } from '../model/hold.ts';
import { LIMITS } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { parentEdgeKey } from '../store/keys.ts';
import type { Update, Write } from '../store/params.ts';
import { linkVersionWrite, mustCloseNoCycle } from './cycles.ts';
import { edgePuts, readAll, readParents } from './edges.ts';
import { standing } from './look.ts';
import { isSatisfied } from './satisfied.ts';

export interface LinkRequest {
  readonly parent: string;
  readonly child: string;
  /** The card that the request was made on: a token is of its lease. */
  readonly own: string;
  readonly lease_token?: string | undefined;
}

/** The change of the child and what goes with it; null when the link is there already. */
export async function linkChange(
  engine: Engine,
  caller: Caller,
  request: LinkRequest,
): Promise<{ change: Change; also: Write[] } | null> {
  const { parent: parentId, child: childId } = request;
  const [parent, child] = await bothCards(engine, caller, request);
  const version = await linkVersionWrite(engine, child.board_id);
  const held = await heldBy(engine, caller, request, { parent, child });
  if ((await engine.store.get(parentEdgeKey(childId, parentId))) !== undefined) return null;
  mustNotBeHeld(held.child);
  await mustHaveRoom(engine, childId);
  await mustCloseNoCycle(engine, [{ parent: parentId, child: childId }]);
  const column = await findColumn(engine, child.column_id);
  const { before, job, op, pins } = held.child;
  const gated: Job = isSatisfied(parent) ? job : { ...job, parents_open: true };
  const reason = `waits for ${parentId}`;
  return {
    change: {
      op,
      before,
      after: standing(gated, column, engine.deps.now()),
      events: [note('card.linked', actorOf(caller), before, { reason })],
      ...(pins === undefined ? {} : { pins }),
    },
    also: [
      version,
      ...edgePuts(child.board_id, { parent: parentId, child: childId, sub: false }),
      ...held.parent,
    ],
  };
}

/** Both cards, an expired lease of the child ended as the reaper would. */
async function bothCards(engine: Engine, caller: Caller, request: LinkRequest): Promise<[Job, Job]> {
  const other = request.own === request.child ? request.parent : request.child;
  const own = await findJob(engine, caller, request.own);
  await openBoard(engine, caller, own.board_id);
  const job = await findJob(engine, caller, other);
  if (own.board_id !== job.board_id) {
    throw problem('conflict', `The card ${other} is on another board, and links never cross boards.`);
  }
  const [parent, child] = other === request.parent ? [job, own] : [own, job];
  const isOwnHold = request.own === request.child && request.lease_token !== undefined;
  if (isOwnHold || !leaseExpired(child, engine.deps.now())) return [parent, child];
  const column = await findColumn(engine, child.column_id);
  if (column !== undefined) await endExpired(engine, child, column);
  return [parent, await findJob(engine, caller, child.pk)];
}

type HeldChild = Pick<Change, 'before' | 'op' | 'pins'> & { readonly job: Job };

/** The two cards as the holder of one of them has them: its deadline pushed, and its token in the condition. */
async function heldBy(
  engine: Engine,
  caller: Caller,
  { own, lease_token }: LinkRequest,
  { parent, child }: { parent: Job; child: Job },
): Promise<{ child: HeldChild; parent: Update[] }> {
  const free: HeldChild = { before: child, job: child, op: 'link' };
  if (lease_token === undefined) return { child: free, parent: [] };
  if (own === child.pk) {
    const hold = await renewedHold(engine, caller, child, lease_token);
    return { child: { ...hold, op: 'link_held' }, parent: [] };
  }
  const { before, job, pins } = await renewedHold(engine, caller, parent, lease_token);
  const change: Change = { op: 'edit_held', before, after: job, events: [], pins };
  return { child: free, parent: [sideWrite(engine, change)] };
}

/** A worker must not find, when it is about to finish, that its card waits for something it was not told of. */
function mustNotBeHeld({ job, op }: HeldChild): void {
  if (op !== 'link' || job.state !== 'leased') return;
  throw problem(
    'conflict',
    `The card ${job.pk} is held by '${job.agent ?? ''}', and a card that is being worked on gets no new parent. ` +
      'Wait until its lease ends, or end it with :reclaim first.',
    { card_id: job.pk },
  );
}

async function mustHaveRoom(engine: Engine, childId: string): Promise<void> {
  const parents = await readAll((page) => readParents(engine, childId, page), LIMITS.parents);
  if (parents.length < LIMITS.parents) return;
  throw problem(
    'conflict',
    `The card ${childId} has ${LIMITS.parents} parents, which is the most. Gather some of them under a container.`,
  );
}
