/** Diagnostics: every card that is not offered, why, since when, and what would change that. */
import { columnsNow, boardNow } from '../boards/read-now.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { diagnose } from '../diagnostics/diagnose.ts';
import { Place, unofferedEntries, type Found } from '../diagnostics/entries.ts';
import type { Action, DiagnosticCode } from '../diagnostics/codes.ts';
import type { Caller, Engine } from '../engine.ts';
import { committedGraphs } from '../graphs/staged.ts';
import { readableJob } from '../jobs.ts';
import { LIST_ENTRIES, WALK_WIDTH } from '../policy.ts';
import type { DiagnosticsQuery } from '../schemas/boards.ts';
import { jobKey } from '../store/keys.ts';
import { isoOrNull } from '../views/time.ts';
import { inWidth } from '../width.ts';

export interface DiagnosticView {
  readonly card_id: string;
  readonly code: DiagnosticCode;
  readonly sentence: string;
  /** Null for a card that cannot be read. */
  readonly since: string | null;
  readonly action: Action | null;
}

/** Answers cards column by column. What is done or archived needs nothing and is left out. Pages may be short. */
export async function getDiagnostics(
  engine: Engine,
  caller: Caller,
  input: DiagnosticsQuery & { board: string },
): Promise<{ items: DiagnosticView[]; next_cursor: string | null }> {
  const board = await boardNow(engine, caller, input.board);
  const list = `diagnostics ${board.id}`;
  const from = input.cursor === undefined ? undefined : readCursor(list, input.cursor, Place);
  const items: DiagnosticView[] = [];
  let looked = 0;
  let last: Place | undefined;
  for await (const page of unofferedEntries(engine, board, await columnsNow(engine, board), from)) {
    const views = await viewsOf(engine, page);
    for (const [at, { place }] of page.entries()) {
      if (items.length >= input.limit) return { items, next_cursor: makeCursor(list, last) };
      items.push(...(views[at] ?? []));
      last = place;
    }
    looked += page.length;
    if (looked >= LIST_ENTRIES) return { items, next_cursor: makeCursor(list, last) };
  }
  return { items, next_cursor: null };
}

/** One entry or none for each card, as it is now and not as the index has it. */
async function viewsOf(engine: Engine, found: readonly Found[]): Promise<DiagnosticView[][]> {
  const items = await engine.store.batchGet(found.map(({ entry }) => jobKey(entry.pk)));
  const jobs = found.map(({ entry }, at) => readableJob(items[at], entry.pk));
  const known = jobs.filter((job) => job !== undefined && job !== 'corrupt');
  const committed = await committedGraphs(engine, known);
  return inWidth(WALK_WIDTH, found, async ({ standing, entry }, at): Promise<DiagnosticView[]> => {
    const job = jobs[at];
    if (job === 'corrupt') return [corrupt(entry.pk)];
    if (job === undefined || job.column_id !== standing.column.column_id) return [];
    if (job.staged !== undefined && !committed.has(job.staged)) return [];
    const diagnosis = await diagnose(engine, standing, job);
    return diagnosis === null ? [] : [{ card_id: job.pk, ...diagnosis, since: isoOrNull(job.since_at) }];
  });
}

function corrupt(cardId: string): DiagnosticView {
  const sentence =
    'Its item in the table is not as this version knows it: put it right there, or restore it to a point in time.';
  return { card_id: cardId, code: 'corrupt', sentence, since: null, action: null };
}
