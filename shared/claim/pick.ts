/**
 * Which card to try: pure choice among what the lanes showed. Claimers that all try the head lose sixty races
 * a claim at sixty-four of them; so under contention the pick is spread over whole priority groups.
 */
import { CANDIDATES } from '../policy.ts';
import type { ColumnMemory } from './memory.ts';
import { byOrder, type Lanes, type ReadyEntry, type TimedEntry } from './lanes.ts';

export interface Filter {
  readonly tenant?: string;
  readonly labels?: readonly string[];
  readonly skills?: readonly string[];
}

export interface Asker {
  /** Name that assignments are matched with; null sees unassigned cards only. */
  readonly agent: string | null;
  /** Name that four eyes are told by. */
  readonly name: string;
  readonly filter: Filter;
  /** The contract keeps whoever worked in the stage before from claiming. */
  readonly excludePrevious: boolean;
}

export type Candidate = ReadyEntry | TimedEntry;

interface Facts {
  readonly assignee?: string | undefined;
  readonly prev_agent?: string | undefined;
  readonly tenant?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly skills?: readonly string[] | undefined;
}

/** True when the card may be offered to this asker at all: assignment and four eyes. */
export function isFor(facts: Facts, asker: Asker): boolean {
  if (facts.assignee !== undefined && facts.assignee !== asker.agent) return false;
  return !(asker.excludePrevious && facts.prev_agent === asker.name);
}

/** True when the card passes the asker's own filter. `skills: []` takes cards that need none. */
export function passes(facts: Facts, filter: Filter): boolean {
  if (filter.tenant !== undefined && facts.tenant !== filter.tenant) return false;
  if (filter.labels?.every((label) => facts.labels?.includes(label)) === false) return false;
  return filter.skills === undefined || (facts.skills ?? []).every((skill) => filter.skills?.includes(skill));
}

export function isFiltered(filter: Filter): boolean {
  return filter.tenant !== undefined || filter.labels !== undefined || filter.skills !== undefined;
}

/** What this asker could take, in claim order: ready cards, and timed ones whose time has come. */
export function candidates(lanes: Lanes, asker: Asker, memory: ColumnMemory, now: number): Candidate[] {
  const due = lanes.timed.filter(
    (entry) => entry.at.due <= now && entry.at.kind !== 't' && isFor(entry, asker),
  );
  const ready = lanes.ready.filter((entry) => !(asker.excludePrevious && entry.prev_agent === asker.name));
  return [...ready, ...due]
    .filter((entry) => passes(entry, asker.filter) && !memory.isGone(entry, now))
    .sort(byOrder);
}

/** One of the candidates: the first when calm, else any of the top priority groups. */
export function pick(from: readonly Candidate[], window: number, chance: number): Candidate | undefined {
  if (window <= 1) return from[0];
  const wanted = Math.min(window, CANDIDATES);
  let count = 0;
  while (count < from.length) {
    const level = from[count]?.at.priority;
    while (count < from.length && from[count]?.at.priority === level) count += 1;
    if (count >= wanted) break;
  }
  return from[Math.floor(chance * Math.min(count, Math.ceil(window)))];
}
