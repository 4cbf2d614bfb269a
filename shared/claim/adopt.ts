/**
 * A limit set while leases live without slots: claims first give each such lease a number at or above the
 * limit, and take none themselves, until a pass over the held cards finds no more. From then on the rule for a
 * lowered limit holds.
 */
import { forget, type Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { readJob } from '../jobs.ts';
import { ADOPT_SETTLE_MS, HOUSEKEEPING_PER_CALL, REAPER_PAGE } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import type { Job } from '../store/items.ts';
import { columnKey } from '../store/keys.ts';
import {
  ADOPTING,
  capsOf,
  columnsUnder,
  namedSlots,
  scopeOf,
  withSlotNamed,
  type Cap,
  type HeldSlot,
} from './caps.ts';
import { isTimed, lanePages, type TimedEntry } from './lanes.ts';
import { findSlot, joined, nameSlot, readSlots, slotAbove, type FreeSlot } from './slots.ts';

/** The taken numbers of each set that a claim must take one of. */
export type HeldSlots = readonly (readonly HeldSlot[])[];

export async function readHeld(engine: Engine, caps: readonly Cap[]): Promise<HeldSlots> {
  return Promise.all(caps.map(async (cap) => readSlots(engine, cap)));
}

/**
 * Slots for one more lease, one of each set; null where the column has no limit, and `full` also while the leases of
 * a set are still adopted.
 *
 * @param agent Who is to hold it.
 * @param held As read beside the lanes; null to read it now.
 */
export async function slotFor(
  engine: Engine,
  column: Column,
  agent: string,
  held: HeldSlots | null = null,
): Promise<FreeSlot | 'full' | null> {
  const caps = capsOf(column, agent);
  if (caps.length === 0) return null;
  const taken = held ?? (await readHeld(engine, caps));
  const slots: FreeSlot[] = [];
  for (const [at, cap] of caps.entries()) {
    const of = taken[at] ?? [];
    const slot = (await adoptLeases(engine, column, cap)) ? await findSlot(engine, cap, of) : null;
    if (slot === null) return 'full';
    slots.push(slot);
  }
  return joined(slots);
}

/**
 * The slots of a lease that another agent takes over: they go on under it, but for the one of the former holder's own
 * set. Null when all of them go on as they are.
 */
export async function handedOn(
  engine: Engine,
  column: Column,
  job: Job,
  agent: string,
): Promise<FreeSlot | 'full' | null> {
  const cap = capsOf(column, agent).find(({ kind }) => kind === 'agent');
  if (cap === undefined || job.agent === agent) return null;
  const adopted = await adoptLeases(engine, column, cap);
  const own = adopted ? await findSlot(engine, cap, await readSlots(engine, cap)) : null;
  return own === null ? 'full' : { name: withSlotNamed(job, cap.kind, own.name), writes: own.writes };
}

/** True when all leases that count towards the set hold slots of it, so that claims may take one. Else adopts up to five. */
async function adoptLeases(engine: Engine, column: Column, cap: Cap): Promise<boolean> {
  if (cap.adopting === undefined) return true;
  const began = engine.deps.now();
  const slotless = await heldWithoutSlot(engine, column, cap);
  for (const entry of slotless.slice(0, HOUSEKEEPING_PER_CALL)) await adopt(engine, cap, entry);
  if (slotless.length > 0 || began < cap.adopting + ADOPT_SETTLE_MS) return false;
  await endAdopting(engine, column, cap, cap.adopting);
  return true;
}

/** Whether a claim at this moment would find all of the set's leases adopted; looked at without adopting any. */
export async function isAdopted(engine: Engine, column: Column, cap: Cap): Promise<boolean> {
  if (cap.adopting === undefined) return true;
  if (engine.deps.now() < cap.adopting + ADOPT_SETTLE_MS) return false;
  return (await heldWithoutSlot(engine, column, cap)).length === 0;
}

async function heldWithoutSlot(engine: Engine, column: Column, cap: Cap): Promise<TimedEntry[]> {
  const columns = await columnsUnder(engine, cap.kind, column);
  const found = await Promise.all(columns.map(async (id) => heldIn(engine, id)));
  return found.flat().filter((entry) => !hasSlot(entry, cap));
}

const hasSlot = (lease: Pick<Job, 'pk' | 'slot'>, { kind }: Cap): boolean =>
  namedSlots(lease).some((slot) => slot.kind === kind);

async function heldIn(engine: Engine, columnId: string): Promise<TimedEntry[]> {
  const found: TimedEntry[] = [];
  for await (const entries of lanePages(engine, columnId, 'T', {
    limit: REAPER_PAGE,
  })) {
    found.push(...entries.filter(isTimed).filter((entry) => entry.at.kind === 'h'));
  }
  return found;
}

/** Of a set per agent, the lease goes to its own agent's. */
async function adopt(engine: Engine, { kind, limit }: Cap, entry: TimedEntry): Promise<void> {
  const job = await readJob(engine, entry.pk);
  if (job?.state !== 'leased' || namedSlots(job).some((slot) => slot.kind === kind)) return;
  const set = { kind, scope: scopeOf(kind, job) };
  const held = await readSlots(engine, set);
  const number = Math.max(limit, ...held.map((slot) => slot.number + 1));
  const slot = slotAbove(engine, set, number);
  await engine.store.transact([nameSlot(job, set, slot.name, 'adopt'), ...slot.writes(job.pk)]);
}

async function endAdopting(engine: Engine, column: Column, { kind }: Cap, since: number): Promise<void> {
  const mark = ADOPTING[kind];
  await engine.store.write({
    kind: 'update',
    key: columnKey(column.column_id),
    set: {},
    remove: [mark],
    condition: expression(`#${mark} = :c_since`, { since }),
  });
  forget(engine, { columnId: column.column_id });
}
