/**
 * What a card's parents make of it: read from its edges and its parents until it is known, never counted. No
 * number is kept that could drift, and reading may begin behind the parent that was just done, since the ones
 * behind it are likelier to be open.
 */
import type { Engine } from '../engine.ts';
import { PARENT_PAGE } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { parentEdgeKey } from '../store/keys.ts';
import type { Item } from '../store/params.ts';
import { readParents, type Edge } from './edges.ts';
import { parentStates, type ParentState } from './satisfied.ts';

export interface ParentFacts {
  readonly parentsOpen: boolean;
  /** Of a container: it has sub-cards, and all are done. */
  readonly subsDone: boolean;
}

export const NO_PARENTS: ParentFacts = { parentsOpen: false, subsDone: false };

/** The card with its parents' facts, not settled yet. */
export function withParentFacts(job: Job, { parentsOpen, subsDone }: ParentFacts): Job {
  const { parents_open: _open, subs_done: _done, ...rest } = job;
  return {
    ...rest,
    ...(parentsOpen ? { parents_open: true } : {}),
    ...(job.container === true && subsDone ? { subs_done: true } : {}),
  };
}

/** True when something stands in the card's way that only its parents can take away. */
export function isGated(job: Job): boolean {
  return job.parents_open === true || (job.container === true && job.subs_done !== true);
}

/** A reading of one card's parents on its way: what is known, and what is still to be read. */
interface Reading {
  readonly job: Pick<Job, 'pk' | 'container'>;
  /** Where to go on after the jump; undefined when there was none, or it has been used. */
  rest: Item | undefined;
  start: Item | undefined;
  parentsOpen: boolean;
  subsOpen: boolean;
  subs: number;
  known: boolean;
}

/**
 * The facts of each card, by id. The cards' own items must have been read before: so a parent that opens or is
 * done in the meantime touches a card after it was read, and the write that follows is refused.
 *
 * @param after Parent that was just done.
 * @param except Parent that is being unlinked.
 */
export async function parentFacts(
  engine: Engine,
  jobs: readonly Pick<Job, 'pk' | 'container'>[],
  { after, except }: { readonly after?: string | undefined; readonly except?: string } = {},
): Promise<ReadonlyMap<string, ParentFacts>> {
  const states = new Map<string, ParentState>();
  const readings = jobs.map(begun);
  for (let left = readings; left.length > 0; left = left.filter(({ known }) => !known)) {
    const pages = await Promise.all(
      left.map(async ({ job, start }) => readParents(engine, job.pk, { limit: PARENT_PAGE, start })),
    );
    const unknown = new Set(
      pages.flatMap(({ edges }) => edges.map(({ parent }) => parent)).filter((id) => !states.has(id)),
    );
    for (const [id, state] of await parentStates(engine, [...unknown])) states.set(id, state);
    if (except !== undefined) states.set(except, 'absent');
    for (const [at, reading] of left.entries()) {
      const page = pages[at];
      if (page === undefined) continue;
      take(reading, page.edges, states);
      goOn(reading, page.edges, page.next, after);
    }
  }
  return new Map(readings.map((reading) => [reading.job.pk, factsOf(reading)]));
}

const begun = (job: Reading['job']): Reading => ({
  job,
  rest: undefined,
  start: undefined,
  parentsOpen: false,
  subsOpen: false,
  subs: 0,
  known: false,
});

function take(reading: Reading, edges: readonly Edge[], states: ReadonlyMap<string, ParentState>): void {
  for (const { parent, sub } of edges) {
    const state = states.get(parent) ?? 'open';
    if (state === 'absent') continue;
    // A sub-card of what is no container any more blocks it like any parent.
    const isSub = sub && reading.job.container === true;
    if (isSub) reading.subs += 1;
    if (state === 'open' && isSub) reading.subsOpen = true;
    if (state === 'open' && !isSub) reading.parentsOpen = true;
  }
}

function goOn(reading: Reading, edges: readonly Edge[], next: Item | undefined, after?: string): void {
  const first = reading.start === undefined;
  const decided = reading.parentsOpen && (reading.job.container !== true || reading.subsOpen);
  if (next === undefined && reading.rest !== undefined && !decided) {
    reading.start = reading.rest;
    reading.rest = undefined;
    return;
  }
  reading.known = decided || next === undefined;
  reading.start = next;
  const last = edges.at(-1)?.parent ?? '';
  if (!first || reading.known || after === undefined || after <= last) return;
  reading.rest = next;
  reading.start = { ...parentEdgeKey(reading.job.pk, after) };
}

function factsOf({ parentsOpen, subsOpen, subs }: Reading): ParentFacts {
  return { parentsOpen, subsDone: subs > 0 && !subsOpen };
}
