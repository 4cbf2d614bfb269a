/** List the cards of a board or a column, as summaries. */
import { AgePosition, entriesByAge } from '../cards/list-by-age.ts';
import { entriesByLane, LanePosition } from '../cards/list-by-lane.ts';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import { fillPage, type CardFilter, type Page } from '../cards/list-page.ts';
import { boardFor, columnOf } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ListCardsQuery } from '../schemas/cards.ts';
import type { CardSummary } from '../views/card.ts';

/**
 * Answers `{items, next_cursor}`. A column is listed in claim order, a board newest first, unless `sort` says
 * otherwise; states are as a claim would see them. Filters apply while reading, so a page may be short and even
 * empty while `next_cursor` goes on. What the indexes have not yet received is missing.
 */
export async function listCards(
  engine: Engine,
  caller: Caller,
  input: ListCardsQuery & { board: string },
): Promise<{ items: CardSummary[]; next_cursor: string | null }> {
  const board = await boardFor(engine, caller, input.board);
  const column = input.column === undefined ? undefined : await columnOf(engine, board, input.column);
  const { state, assignee, tenant, label, workflow_template_id, current_step_key, q, limit, cursor } = input;
  const archived = state === 'archived' || input.archived === true;
  const filter: CardFilter = {
    boardId: board.id,
    column: column?.column_id,
    state,
    assignee,
    tenant,
    label,
    workflow_template_id,
    current_step_key,
    archived,
  };
  const sort = input.sort ?? (column !== undefined && q === undefined ? 'priority' : 'created');
  const list = JSON.stringify([filter, q, sort]);
  // One entry more than asked tells whether there is a next page.
  const size = limit + 1;
  let page: Page<unknown>;
  if (sort === 'priority' && column !== undefined) {
    const from = cursor === undefined ? undefined : readListCursor(engine, list, cursor, LanePosition);
    page = await fillPage(engine, filter, limit, () =>
      entriesByLane(engine, column.column_id, filter, size, from),
    );
  } else {
    const from = cursor === undefined ? undefined : readListCursor(engine, list, cursor, AgePosition);
    page = await fillPage(engine, filter, limit, () => entriesByAge(engine, board.id, size, from, q));
  }
  return {
    items: page.items,
    next_cursor: page.next === null ? null : makeListCursor(engine, list, page.next),
  };
}
