/** Boards, columns and contracts as the API shows them. */
import type { StateCounts } from '../boards/state-counts.ts';
import type { Board, Column } from '../columns.ts';
import { iso, isoOrNull } from './time.ts';

/** What lists show of a board. */
export function boardView({ item, id }: Board) {
  return {
    id,
    slug: item.slug,
    name: item.name,
    description: item.description ?? null,
    icon: item.icon ?? null,
    key_prefix: item.key_prefix,
    max_in_progress: item.max_in_progress ?? null,
    event_retention_days: item.event_retention_days ?? null,
    run_retention_days: item.run_retention_days ?? null,
    archived_retention_days: item.archived_retention_days ?? null,
    archived_at: isoOrNull(item.archived_at),
    created_at: iso(item.created_at),
    updated_at: iso(item.updated_at),
    rev: item.rev,
  };
}
export type BoardView = ReturnType<typeof boardView>;

export function columnView({ item, queue, paused }: Column) {
  return {
    id: item.pk,
    board_id: item.board_id,
    name: item.name,
    role: item.role,
    queue,
    paused,
    wip_limit: item.wip_limit ?? null,
    created_at: iso(item.created_at),
    updated_at: iso(item.updated_at),
    rev: item.rev,
  };
}
export type ColumnView = ReturnType<typeof columnView>;

export interface CountedColumn {
  readonly column: Column;
  readonly cards: StateCounts;
}

/**
 * A board with its columns in order, their contracts, and how many cards stand in each state. Its cursor must have
 * been taken before the cards were read.
 */
export function boardDetail(
  board: Board,
  columns: readonly CountedColumn[],
  cards: StateCounts,
  eventsCursor: string,
) {
  return {
    ...boardView(board),
    columns: columns.map(({ column, cards: { counts, capped } }) => ({
      ...columnView(column),
      contract: column.contract,
      counts,
      capped,
    })),
    counts: cards.counts,
    capped: cards.capped,
    events_cursor: eventsCursor,
  };
}
export type BoardDetail = ReturnType<typeof boardDetail>;
