/** Redrive a column: every card that lies dead in it, or died in it and lies elsewhere, page by page. */
import { writeSteps } from '../cards/change.ts';
import { redriven as redrivenStep } from '../cards/redrive.ts';
import { isParked, lanePages } from '../claim/lanes.ts';
import { boardFor, columnOf, columnsOf, mustBeOpen, type Board, type Column } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { PAGE_MAX, WALK_WIDTH } from '../policy.ts';
import { jobKey, parkedPrefix } from '../store/keys.ts';
import { inWidth } from '../width.ts';

interface Redriven {
  readonly redriven: number;
  readonly refused: number;
  /** True when more dead cards are left: call again. */
  readonly more: boolean;
}

/** Answers counts, at most a hundred cards a call, so that a column with thousands does not outlast a request. */
export async function redriveColumn(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
): Promise<Redriven> {
  const board = await boardFor(engine, caller, input.board);
  mustBeOpen(board);
  const column = await columnOf(engine, board, input.column);
  const ids = await deadCards(engine, board, column);
  const results = await inWidth(WALK_WIDTH, ids.slice(0, PAGE_MAX), async (id) =>
    redriveQuietly(engine, caller, id),
  );
  const redriven = results.filter(Boolean).length;
  return { redriven, refused: results.length - redriven, more: ids.length > PAGE_MAX };
}

/** A card that another has redriven, moved or taken away in the meantime counts as refused, and stops nobody. */
async function redriveQuietly(engine: Engine, caller: Caller, cardId: string): Promise<boolean> {
  try {
    await writeSteps(engine, caller, cardId, [redrivenStep()]);
    return true;
  } catch (error) {
    if (isProblem(error) && error.code !== 'throttled') return false;
    throw error;
  }
}

/** Dead cards lie where they died or in the failure column of their contract; one more than a page is enough. */
async function deadCards(engine: Engine, board: Board, column: Column): Promise<string[]> {
  const places = (await columnsOf(engine, board)).filter(
    (place) =>
      place.column_id === column.column_id || place.column_id === column.contract.on_failure_column_id,
  );
  const found: string[] = [];
  for (const place of places) {
    for await (const ids of deadIn(engine, place)) {
      const here = place.column_id === column.column_id;
      found.push(...(here ? ids : await diedIn(engine, column, ids)));
      if (found.length > PAGE_MAX) return found;
    }
  }
  return found;
}

/** Of the cards in a failure column that several queues share, those of one. */
async function diedIn(engine: Engine, column: Column, ids: readonly string[]): Promise<string[]> {
  const jobs = await engine.store.batchGet(ids.map(jobKey));
  return ids.filter((_, at) => jobs[at]?.['died_in'] === column.column_id);
}

async function* deadIn(engine: Engine, place: Column): AsyncGenerator<string[]> {
  for await (const entries of lanePages(engine, place.column_id, 'P', {
    prefix: parkedPrefix('dead'),
    limit: PAGE_MAX,
  })) {
    yield entries.filter(isParked).map((entry) => entry.pk);
  }
}
