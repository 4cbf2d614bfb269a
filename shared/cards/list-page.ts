/**
 * One page of a list of cards: index entries come in, cards that fit the filter go out, until the page is full
 * in number or in bytes, or enough entries were looked at. Its cursor is the last entry looked at.
 */
import type { Engine } from '../engine.ts';
import { committedGraphs } from '../graphs/staged.ts';
import { parseJob } from '../jobs.ts';
import { assigneeAt } from '../model/reservation.ts';
import { effectiveState } from '../model/settle.ts';
import type { CardState } from '../model/states.ts';
import { ANSWER_BYTES, LIST_ENTRIES } from '../policy.ts';
import { CardSchema, type Job } from '../store/items.ts';
import { cardKey, jobKey } from '../store/keys.ts';
import { jsonBytes } from '../text.ts';
import { cardSummary, type CardSummary } from '../views/card.ts';

export interface CardFilter {
  readonly boardId: string;
  readonly column?: string | undefined;
  readonly state?: CardState | undefined;
  readonly assignee?: string | undefined;
  readonly tenant?: string | undefined;
  readonly label?: string | undefined;
  readonly archived: boolean;
}

/** An entry of an index: a card, and where a list that ends with it goes on. */
export interface ListEntry<Position> {
  readonly pk: string;
  readonly position: Position;
}

/** Entries page by page; each page is read only when the one before is used up. */
export type Entries<Position> = AsyncIterable<readonly ListEntry<Position>[]>;

export interface Page<Position> {
  readonly items: CardSummary[];
  /** Where to go on; null at the end of the list. */
  readonly next: Position | null;
}

export async function fillPage<Position>(
  engine: Engine,
  filter: CardFilter,
  limit: number,
  entries: Entries<Position>,
): Promise<Page<Position>> {
  const items: CardSummary[] = [];
  const seen = new Set<string>();
  const graphs = new Map<string, boolean>();
  let bytes = 0;
  let looked = 0;
  let last: Position | null = null;
  for await (const page of entries) {
    const summaries = await summariesOf(
      engine,
      filter,
      page.map(({ pk }) => pk),
      graphs,
    );
    for (const [at, { pk, position }] of page.entries()) {
      if (items.length >= limit || bytes >= ANSWER_BYTES) return { items, next: last };
      const summary = seen.has(pk) ? null : (summaries[at] ?? null);
      if (summary !== null) {
        items.push(summary);
        bytes += jsonBytes(summary);
      }
      seen.add(pk);
      last = position;
    }
    looked += page.length;
    if (looked >= LIST_ENTRIES) return { items, next: last };
  }
  return { items, next: null };
}

/** The cards that fit, read strongly; null for one that does not, is gone, or cannot be read. */
async function summariesOf(
  engine: Engine,
  filter: CardFilter,
  ids: readonly string[],
  graphs: Map<string, boolean>,
): Promise<(CardSummary | null)[]> {
  const found = await engine.store.batchGet(ids.flatMap((id) => [jobKey(id), cardKey(id)]));
  const now = engine.deps.now();
  const jobs = ids.map((id, at) => readableJob(found[2 * at], id));
  const committed = await committedGraphs(
    engine,
    jobs.filter((job) => job !== null),
    graphs,
  );
  return ids.map((_, at) => {
    const job = jobs[at] ?? null;
    const card = CardSchema.safeParse(found[2 * at + 1]);
    if (job === null || !card.success || !fits(job, filter, now)) return null;
    if (job.staged !== undefined && !committed.has(job.staged)) return null;
    return cardSummary({ job, card: card.data }, now);
  });
}

/** A corrupt item is passed by: it shows in diagnostics, and never takes a list with it. */
function readableJob(item: unknown, id: string): Job | null {
  try {
    return item === undefined ? null : parseJob(item, id);
  } catch {
    return null;
  }
}

function fits(job: Job, filter: CardFilter, now: number): boolean {
  const { state } = effectiveState(job, now);
  return (
    job.board_id === filter.boardId &&
    (state === 'archived') === filter.archived &&
    (filter.state === undefined || state === filter.state) &&
    (filter.column === undefined || job.column_id === filter.column) &&
    (filter.assignee === undefined || assigneeAt(job, now) === filter.assignee) &&
    (filter.tenant === undefined || job.tenant === filter.tenant) &&
    (filter.label === undefined || job.labels?.includes(filter.label) === true)
  );
}
