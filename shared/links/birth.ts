/**
 * The links of a card that is being created: its parents, and the container that it is a sub-card of. They are
 * written in the transaction that creates it; of more parents than that holds, the list is.
 */
import { endExpired } from '../claim/expire.ts';
import { renewedHold } from '../cards/holder.ts';
import { findColumn } from '../columns.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem, type FieldFault } from '../errors.ts';
import { note, readJob, sideWrite, type Change } from '../jobs.ts';
import { leaseExpired } from '../model/hold.ts';
import { PARENTS_AT_ONCE } from '../policy.ts';
import { refusedInput } from '../schemas/parse-input.ts';
import type { Job } from '../store/items.ts';
import type { Write } from '../store/params.ts';
import { linkVersionWrite, mustCloseNoCycle } from './cycles.ts';
import { edgePuts } from './edges.ts';
import { settleLinked } from './linked.ts';
import { lookAtCards, standing } from './look.ts';
import { finishParents, pendingPut } from './pending-parents.ts';
import { readKnown } from './read-known.ts';
import { isSatisfied } from './satisfied.ts';

export interface BirthRequest {
  readonly id: string;
  readonly boardId: string;
  readonly parents: readonly string[];
  readonly container: string | null;
  /** Token of the container's lease, when its holder breaks it down. */
  readonly lease_token?: string | undefined;
}

export interface BirthLinks {
  /** What the links make of the new card, before it is settled. */
  readonly facts: Pick<Job, 'parents_open' | 'tenant'>;
  /** For the creating transaction. */
  readonly writes: (job: Job) => readonly Write[];
  /** Follows that transaction. Never fails: what it leaves undone is seen by whoever looks next. */
  readonly afterwards: () => Promise<void>;
}

/** @throws Problem for a parent or a container that is not there, not on the board, or not to be linked to. */
export async function birthLinks(engine: Engine, caller: Caller, request: BirthRequest): Promise<BirthLinks> {
  const { id, boardId, parents, container } = request;
  // Only with both may the new card join two that were there before, and so close a cycle.
  const joins = container !== null && parents.length > 0;
  const version = joins ? [await linkVersionWrite(engine, boardId)] : [];
  const known = await readKnown(engine, [...parents, ...(container === null ? [] : [container])], boardId);
  mustBeKnown(request, known);
  const edges = parents.map((parent) => ({ parent, child: id, sub: false }));
  const sub = container === null ? [] : [{ parent: id, child: container, sub: true }];
  if (joins) await mustCloseNoCycle(engine, [...edges, ...sub], (card) => card === id);
  const reopened =
    container === null ? [] : await containerWrites(engine, caller, request, known.get(container));
  const many = parents.length > PARENTS_AT_ONCE;
  return {
    facts: factsOf(request, known),
    writes: (job) => [
      ...version,
      ...reopened,
      ...[...sub, ...(many ? [] : edges)].flatMap((edge) => edgePuts(boardId, edge)),
      ...(many ? [pendingPut(job, parents, engine.deps.now())] : []),
    ],
    afterwards: async () => {
      try {
        if (many) await finishParents(engine, id);
        else if (parents.length > 0) await settleLinked(engine, id, parents);
        if (container !== null) await lookAtCards(engine, [container]);
      } catch {
        // The card is there; a parent that is done later, or the timer of its pending parents, looks again.
      }
    },
  };
}

function mustBeKnown(request: BirthRequest, known: ReadonlyMap<string, Job>): void {
  const { parents, container } = request;
  const unknown = (path: string, card: string): FieldFault[] =>
    known.has(card) ? [] : [{ path, message: `There is no card '${card}' on this board` }];
  const faults = [
    ...parents.flatMap((card, at) => unknown(`/parents/${at}`, card)),
    ...(container === null ? [] : unknown('/container_id', container)),
  ];
  if (faults.length > 0) throw refusedInput(faults);
}

/** Inherited from the first parent that has a tenant, else from the container. */
function factsOf({ parents, container }: BirthRequest, known: ReadonlyMap<string, Job>): BirthLinks['facts'] {
  const jobs = parents.flatMap((id) => known.get(id) ?? []);
  const above = [...jobs, ...(container === null ? [] : [known.get(container)])];
  const tenant = above.find((job) => job?.tenant !== undefined)?.tenant;
  return {
    ...(jobs.every(isSatisfied) ? {} : { parents_open: true }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

/** The container's write, where a new sub-card changes anything about it. */
async function containerWrites(
  engine: Engine,
  caller: Caller,
  { id, lease_token }: BirthRequest,
  read: Job | undefined,
): Promise<Write[]> {
  if (read === undefined) return [];
  const change = await subCardChange(engine, caller, read, { sub: id, lease_token });
  return change === null ? [] : [sideWrite(engine, change)];
}

/**
 * What an open sub-card makes of its container: it waits. Null when it waits already.
 *
 * @throws Problem `conflict` when the card is no container, or held by somebody else.
 */
export async function subCardChange(
  engine: Engine,
  caller: Caller,
  read: Job,
  { sub, lease_token }: { sub: string; lease_token?: string | undefined },
): Promise<Change | null> {
  mustBeContainer(read);
  const reason = `waits for ${sub}`;
  const events = [note('card.linked', actorOf(caller), read, { reason })];
  if (lease_token !== undefined) {
    const { before, job, pins } = await renewedHold(engine, caller, read, lease_token);
    const { subs_done: _done, ...after } = job;
    return { op: 'link_held', before, after, events, pins };
  }
  const free = await unlessHeld(engine, read);
  if (free.subs_done !== true) return null;
  const { subs_done: _done, ...open } = free;
  const column = await findColumn(engine, free.column_id);
  return { op: 'link', before: free, after: standing(open, column, engine.deps.now()), events };
}

/** Sub-cards are of containers only: a card must not come to wait because another says that it belongs to it. */
export function mustBeContainer(job: Job): void {
  if (job.container === true) return;
  throw problem(
    'conflict',
    `The card ${job.pk} is no container. Set container: true on it first, or decompose it.`,
    { card_id: job.pk },
  );
}

async function unlessHeld(engine: Engine, job: Job): Promise<Job> {
  if (job.state !== 'leased') return job;
  const column = await findColumn(engine, job.column_id);
  if (leaseExpired(job, engine.deps.now()) && column !== undefined) {
    await endExpired(engine, job, column);
    const free = await readJob(engine, job.pk);
    if (free !== undefined && free.state !== 'leased') return free;
  }
  throw problem(
    'conflict',
    `The container ${job.pk} is held by '${job.agent ?? ''}'. Its holder may add to it with the lease_token; ` +
      'others wait until the lease ends.',
    { card_id: job.pk },
  );
}
