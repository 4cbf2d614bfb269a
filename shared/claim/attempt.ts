/** One attempt at one candidate: with its slot where the column has a limit, and with what its worker must read. */
import type { Engine } from '../engine.ts';
import { CorruptItem, readJob } from '../jobs.ts';
import { leaseExpired } from '../model/hold.ts';
import type { Job } from '../store/items.ts';
import { readHeld, slotFor, type HeldSlots } from './adopt.ts';
import { readParts, type ReadParts } from './card-parts.ts';
import type { ClaimRequest } from './claim.ts';
import { endExpired } from './expire.ts';
import type { Candidate } from './pick.ts';
import { capsOf, namedSlots } from './caps.ts';
import { isUncomputable } from '../store/faults.ts';
import { takeEntry, takeHeld, type Taken, type Taking } from './take.ts';

export interface Attempt {
  readonly entry: Candidate;
  /** The row of the answer that it would fill. */
  readonly row: number;
  /** Slots as read beside the lanes; null when they must be read afresh, or the column has no limit. */
  readonly held: HeldSlots | null;
}

type Leased = Extract<Taken, { kind: 'leased' }>;

/** `parts` are undefined where they could not be read beside the write. */
export type Tried =
  | Exclude<Taken, Leased>
  | (Leased & { readonly parts: ReadParts | undefined })
  | { readonly kind: 'full' };

/** Tries the candidate once. A corrupt item is passed by, not tripped over. */
export async function takeCandidate(
  engine: Engine,
  request: Pick<ClaimRequest, 'column' | 'newGrant' | 'record'>,
  attempt: Attempt,
): Promise<Tried> {
  const { at } = attempt.entry;
  const isHeld = at.lane === 'T' && at.kind === 'h';
  const taking = takingOf(engine, request, attempt.row);
  try {
    return isHeld ? await tryHeld(taking, attempt.entry) : await tryFree(taking, attempt);
  } catch (error) {
    if (error instanceof CorruptItem || isUncomputable(error)) return { kind: 'set_aside' };
    throw error;
  }
}

function takingOf(
  engine: Engine,
  { column, newGrant, record }: Pick<ClaimRequest, 'column' | 'newGrant' | 'record'>,
  row: number,
): Taking {
  return {
    engine,
    column,
    grant: newGrant(),
    slot: null,
    record: record === null ? null : (cardId, run) => record(row, cardId, run),
  };
}

/** The slot comes first: a column that is full must not pay for reading cards that it does not give. */
async function tryFree(taking: Taking, { entry, held }: Attempt): Promise<Tried> {
  const { engine, column } = taking;
  const slot = await slotFor(engine, column, taking.grant.agent, held);
  if (slot === 'full') return { kind: 'full' };
  return withParts(engine, entry, takeEntry({ ...taking, slot }, entry));
}

/**
 * A held card whose alarm rang. Superseding keeps its slots, which is right only while none stands above its limit
 * and all are the new holder's too: else the hold is ended first, and the card is claimed like any other.
 */
async function tryHeld(taking: Taking, entry: Candidate): Promise<Tried> {
  const { engine, column } = taking;
  const job = await readJob(engine, entry.pk);
  if (job === undefined || job.run !== entry.run) return { kind: 'lost' };
  const expired = leaseExpired(job, engine.deps.now());
  if (expired && !(await keepsSlots(taking, job))) {
    await endExpired(engine, job, column);
    return { kind: 'slot_lost' };
  }
  const taken = takeHeld(taking, job);
  // An alarm that only rings early is set right: nothing is given, so nothing is read.
  return expired ? withParts(engine, entry, taken) : withParts(engine, null, taken);
}

async function keepsSlots({ engine, column, grant }: Taking, job: Job): Promise<boolean> {
  const caps = capsOf(column, grant.agent);
  if (caps.length === 0) return true;
  const own = new Set(namedSlots(job).map(({ kind }) => kind));
  if (caps.some((cap) => !own.has(cap.kind) || cap.adopting !== undefined)) return false;
  if (job.agent !== grant.agent && caps.some(({ kind }) => kind === 'agent')) return false;
  const held = await readHeld(engine, caps);
  return caps.every(({ limit }, at) => (held[at] ?? []).every((slot) => slot.number < limit));
}

/** What the worker must read, read strongly beside the write. A run that this write closes is known from it. */
async function withParts(engine: Engine, entry: Candidate | null, take: Promise<Taken>): Promise<Tried> {
  const [taken, parts] = await Promise.all([
    take,
    entry === null ? undefined : readParts(engine, entry.pk, entry.run).catch(() => undefined),
  ]);
  if (taken.kind !== 'leased') return taken;
  const { closed } = taken;
  if (parts === undefined || closed === undefined) return { ...taken, parts };
  return { ...taken, parts: { ...parts, lastRun: { ...parts.lastRun, ...closed } } };
}
