/** Whether one more lease has room under the limits of a column, looked at without taking anything. */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { leaseExpired } from '../model/hold.ts';
import type { Job } from '../store/items.ts';
import { isAdopted, readHeld } from './adopt.ts';
import { capsOf, type Cap } from './caps.ts';
import { holdersOf } from './slots.ts';

/** One of the limits, and how many live leases count towards it. */
export interface Load {
  readonly cap: Cap;
  readonly live: number;
}

/** @param agent Who would hold it. */
export async function hasRoom(engine: Engine, column: Column, agent: string): Promise<boolean> {
  const caps = capsOf(column, agent);
  const adopted = await Promise.all(caps.map(async (cap) => isAdopted(engine, column, cap)));
  if (adopted.includes(false)) return false;
  return (await loadsOf(engine, caps)).every(({ cap, live }) => live < cap.limit);
}

export async function loadsOf(engine: Engine, caps: readonly Cap[]): Promise<Load[]> {
  const held = await readHeld(engine, caps);
  const holders = await holdersOf(engine, held.flat());
  const now = engine.deps.now();
  const isLive = (job: Job | 'corrupt' | null): boolean =>
    job !== null && (job === 'corrupt' || !leaseExpired(job, now));
  const live = new Set(held.flat().filter((_, at) => isLive(holders[at] ?? null)));
  return caps.map((cap, at) => ({ cap, live: (held[at] ?? []).filter((slot) => live.has(slot)).length }));
}
