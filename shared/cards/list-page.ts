/**
 * One page of a list of cards: index entries come in, cards that fit the filter go out, until the page is full
 * in number or in bytes, or enough entries were looked at. Its cursor is the last entry looked at.
 */
import type { Engine } from '../engine.ts';
import { listGraphs } from '../graphs/register.ts';
import { committedGraphs } from '../graphs/staged.ts';
import { problem } from '../errors.ts';
import { readableJob } from '../jobs.ts';
import { assigneeAt } from '../model/reservation.ts';
import { effectiveState } from '../model/settle.ts';
import type { CardState } from '../model/states.ts';
import { ANSWER_BYTES, DECIDE_RETRIES, LIST_ENTRIES } from '../policy.ts';
import { CardSchema, type Card, type Job } from '../store/items.ts';
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
  readonly workflow_template_id?: string | undefined;
  readonly current_step_key?: string | undefined;
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

/**
 * A graph shows whole or not at all: one that was not committed when the page began is left out of it, and when it
 * is committed before the page ends, the page is read anew.
 *
 * @param entries Reads the list from where the page starts, anew each time.
 * @throws Problem `throttled` when graphs keep being committed while the page is read.
 */
export async function fillPage<Position>(
  engine: Engine,
  filter: CardFilter,
  limit: number,
  entries: () => Entries<Position>,
): Promise<Page<Position>> {
  const unfinished = (await listGraphs(engine)).map((staged) => ({ staged }));
  let committed = await committedGraphs(engine, unfinished);
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const page = await readPage(engine, filter, limit, entries(), committed);
    const graphs = await committedGraphs(engine, [...unfinished, ...page.staged]);
    if (graphs.size === committed.size) return page;
    committed = graphs;
  }
  throw problem('throttled', 'The list keeps changing. Try again shortly.', { retry_after_seconds: 1 });
}

/** `staged`: cards met that graphs have staged. */
async function readPage<Position>(
  engine: Engine,
  filter: CardFilter,
  limit: number,
  entries: Entries<Position>,
  committed: ReadonlySet<string>,
): Promise<Page<Position> & { staged: readonly Pick<Job, 'staged'>[] }> {
  const items: CardSummary[] = [];
  const staged: Job[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let looked = 0;
  let last: Position | null = null;
  for await (const page of entries) {
    const cards = await readCards(
      engine,
      page.map(({ pk }) => pk),
    );
    const now = engine.deps.now();
    for (const [at, { pk, position }] of page.entries()) {
      if (items.length >= limit || bytes >= ANSWER_BYTES) return { items, next: last, staged };
      const read = cards[at] ?? null;
      if (read?.job.staged !== undefined) staged.push(read.job);
      if (read !== null && !seen.has(pk) && exists(read.job, committed) && fits(read, filter, now)) {
        const summary = cardSummary(read, now);
        items.push(summary);
        bytes += jsonBytes(summary);
      }
      seen.add(pk);
      last = position;
    }
    looked += page.length;
    if (looked >= LIST_ENTRIES) return { items, next: last, staged };
  }
  return { items, next: null, staged };
}

const exists = ({ staged }: Job, committed: ReadonlySet<string>): boolean =>
  staged === undefined || committed.has(staged);

/** Read strongly; null for a card that is gone or cannot be read. */
async function readCards(
  engine: Engine,
  ids: readonly string[],
): Promise<({ job: Job; card: Card } | null)[]> {
  const found = await engine.store.batchGet(ids.flatMap((id) => [jobKey(id), cardKey(id)]));
  return ids.map((id, at) => {
    const job = readableJob(found[2 * at], id);
    const card = CardSchema.safeParse(found[2 * at + 1]);
    return job === undefined || job === 'corrupt' || !card.success ? null : { job, card: card.data };
  });
}

function fits({ job, card }: { job: Job; card: Card }, filter: CardFilter, now: number): boolean {
  const { state } = effectiveState(job, now);
  return (
    job.board_id === filter.boardId &&
    (state === 'archived') === filter.archived &&
    (filter.state === undefined || state === filter.state) &&
    (filter.column === undefined || job.column_id === filter.column) &&
    (filter.assignee === undefined || assigneeAt(job, now) === filter.assignee) &&
    (filter.tenant === undefined || job.tenant === filter.tenant) &&
    (filter.label === undefined || job.labels?.includes(filter.label) === true) &&
    inWorkflow(card, filter)
  );
}

function inWorkflow(
  card: Card,
  { workflow_template_id: template, current_step_key: step }: CardFilter,
): boolean {
  if (template !== undefined && card.workflow_template_id !== template) return false;
  return step === undefined || card.current_step_key === step;
}
