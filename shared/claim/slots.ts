/**
 * Concurrency limits without a counter. A limit of L is L numbered slots; a claim takes a free number in the
 * transaction that writes JOB, and JOB names it back. A slot is busy exactly while its JOB is leased and names
 * it, so completing frees it by its one write, and a slot that leaked is found dead and taken.
 */
import { findColumn } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { readableJob } from '../jobs.ts';
import { leaseExpired } from '../model/hold.ts';
import { SLOTS_VERIFIED } from '../policy.ts';
import { ABSENT, conditionOf, expression } from '../store/conditions.ts';
import { LAYOUT_VERSION, SlotSchema, type Job } from '../store/items.ts';
import { jobKey, slotKey, slotNumber, slotsPk } from '../store/keys.ts';
import type { Put, Update, Write } from '../store/params.ts';
import { namedSlots, namesSlot, scopeOf, slotName, withSlotNamed, type Cap, type HeldSlot } from './caps.ts';
import { endExpired } from './expire.ts';

/** Numbers that this claim may take: their writes go into the transaction, their names into JOB. */
export interface FreeSlot {
  readonly name: string;
  readonly writes: (cardId: string) => readonly Put[];
}

const TAKE_BYTES = 4;

type Set = Pick<Cap, 'kind' | 'scope'>;

function freeSlot(engine: Engine, { kind, scope }: Set, number: number, dead: HeldSlot | null): FreeSlot {
  const take = engine.deps.secret(TAKE_BYTES);
  const condition = dead === null ? ABSENT : expression('#take = :c_take', { take: dead.take });
  return {
    name: slotName(kind, number, take),
    writes: (cardId) => [
      {
        kind: 'put',
        item: { ...slotKey(scope, number), v: LAYOUT_VERSION, card_id: cardId, take },
        condition,
      },
    ],
  };
}

/** One slot of each set, as one. */
export function joined(slots: readonly FreeSlot[]): FreeSlot {
  return {
    name: slots.map(({ name }) => name).join(' '),
    writes: (cardId) => slots.flatMap(({ writes }) => writes(cardId)),
  };
}

/** The taken numbers of a set. Possibly leaked: only JOB tells. */
export async function readSlots(engine: Engine, { kind, scope }: Set): Promise<HeldSlot[]> {
  const slots: HeldSlot[] = [];
  for await (const items of engine.store.pages({
    pk: { name: 'pk', value: slotsPk(scope) },
    consistent: true,
  })) {
    for (const item of items) {
      const { pk, sk, card_id, take } = SlotSchema.parse(item);
      slots.push({ kind, number: slotNumber({ pk, sk }), cardId: card_id, take });
    }
  }
  return slots;
}

/** The holders of slots, read strongly; null where the slot is dead. One that cannot be read counts as a holder. */
export async function holdersOf(
  engine: Engine,
  slots: readonly HeldSlot[],
): Promise<(Job | 'corrupt' | null)[]> {
  const items =
    slots.length === 0 ? [] : await engine.store.batchGet(slots.map((slot) => jobKey(slot.cardId)));
  return slots.map((slot, at) => {
    const job = readableJob(items[at], slot.cardId);
    if (job === undefined || job === 'corrupt') return job ?? null;
    return job.state === 'leased' && namesSlot(job, slot) ? job : null;
  });
}

/** A number of a set for this claim, or null when the set is at its limit. */
export async function findSlot(
  engine: Engine,
  cap: Cap,
  held: readonly HeldSlot[],
): Promise<FreeSlot | null> {
  const { limit } = cap;
  const free = freeNumbers(held, limit);
  const above = held.filter((slot) => slot.number >= limit);
  if (above.length > 0 && (await stillHeld(engine, cap, above, free))) return null;
  const number = free[Math.floor(engine.deps.random() * free.length)];
  if (number !== undefined) return freeSlot(engine, cap, number, null);
  return deadSlot(
    engine,
    cap,
    held.filter((slot) => slot.number < limit),
  );
}

function freeNumbers(held: readonly HeldSlot[], limit: number): number[] {
  const taken = new Set(held.map((slot) => slot.number));
  return Array.from({ length: limit }, (_, number) => number).filter((number) => !taken.has(number));
}

/**
 * While a number at or above the limit is held, low ones must not be given: a limit lowered from five to two
 * with holders left in one and four would make three of them. Such a holder is first moved down.
 * True while one is left above.
 */
async function stillHeld(
  engine: Engine,
  set: Set,
  above: readonly HeldSlot[],
  free: number[],
): Promise<boolean> {
  const holders = await holdersOf(engine, above);
  for (const [at, slot] of above.entries()) {
    const job = holders[at] ?? null;
    if (job === null) {
      await tidySlot(engine, set.scope, slot);
      continue;
    }
    const number = free.shift();
    if (number === undefined || job === 'corrupt') return true;
    if (!(await moveDown(engine, set, slot, number, job))) return true;
  }
  return false;
}

async function moveDown(
  engine: Engine,
  set: Set,
  from: HeldSlot,
  number: number,
  job: Job,
): Promise<boolean> {
  const to = freeSlot(engine, set, number, null);
  const written = await engine.store.transact([
    nameSlot(job, set, to.name, 'reslot'),
    ...to.writes(job.pk),
    dropSlot(set.scope, from),
  ]);
  return written.ok;
}

/** JOB naming its slot of a set, silently: who holds the card has not changed. */
export function nameSlot(job: Job, { kind }: Set, name: string, op: 'adopt' | 'reslot'): Update {
  const pins = { run: job.run, expires_at: job.expires_at ?? 0, slot: job.slot ?? null };
  return {
    kind: 'update',
    key: jobKey(job.pk),
    set: { slot: withSlotNamed(job, kind, name), op },
    remove: [],
    condition: conditionOf(op, pins),
  };
}

/** A free number at or above the limit for a lease that lives without one. */
export function slotAbove(engine: Engine, set: Set, number: number): FreeSlot {
  return freeSlot(engine, set, number, null);
}

/** Two busy slots at random, verified: one whose holder is gone can be taken, and an expired holder is ended. */
async function deadSlot(engine: Engine, set: Set, held: readonly HeldSlot[]): Promise<FreeSlot | null> {
  const sample = [...held];
  while (sample.length > SLOTS_VERIFIED) {
    sample.splice(Math.floor(engine.deps.random() * sample.length), 1);
  }
  const holders = await holdersOf(engine, sample);
  for (const [at, slot] of sample.entries()) {
    const job = holders[at] ?? null;
    if (job === 'corrupt') continue;
    if (job === null || (await endedIfExpired(engine, job))) return freeSlot(engine, set, slot.number, slot);
  }
  return null;
}

async function endedIfExpired(engine: Engine, job: Job): Promise<boolean> {
  const now = engine.deps.now();
  if (!leaseExpired(job, now) || engine.claims.of(job.column_id).pulse.calmUntil > now) return false;
  const column = await findColumn(engine, job.column_id);
  return column !== undefined && endExpired(engine, job, column);
}

function dropSlot(scope: string, slot: HeldSlot): Write {
  return {
    kind: 'delete',
    key: slotKey(scope, slot.number),
    condition: expression('#take = :c_take', { take: slot.take }),
  };
}

/** Removes a slot's item that nothing names any more. Tidying only: a slot is free without it. */
export async function tidySlot(engine: Engine, scope: string, slot: HeldSlot): Promise<void> {
  await engine.store.write(dropSlot(scope, slot));
}

/** The same for every slot that an ended hold named. */
export async function tidySlots(engine: Engine, ended: Job): Promise<void> {
  for (const slot of namedSlots(ended)) await tidySlot(engine, scopeOf(slot.kind, ended), slot);
}
