/** What stands where: cards by column, in the order that a person wants to see them. Pure. */
import type { CardSummary, ColumnDetail } from '../../../client/types.ts';
import type { Cards, Placed } from './placed.ts';

/** What is going on stands above what is to come, and that above what is over. */
const GROUPS: Readonly<Record<CardSummary['state'], number>> = {
  leased: 0,
  blocked: 1,
  dead: 1,
  ready: 2,
  idle: 2,
  waiting: 3,
  done: 4,
  archived: 5,
};

export interface Shown {
  readonly column: ColumnDetail;
  readonly cards: readonly CardSummary[];
  /** Before the filter. */
  readonly all: readonly CardSummary[];
}

/** @param before What it answered last: a column in which nothing has changed is answered as the same object. */
export function arrange(
  columns: readonly ColumnDetail[],
  cards: Cards,
  fits: (card: CardSummary, column: ColumnDetail) => boolean,
  before: readonly Shown[] = [],
): readonly Shown[] {
  const byColumn = new Map<string, Placed[]>(columns.map((column) => [column.id, []]));
  for (const placed of cards.values()) byColumn.get(placed.card.column_id)?.push(placed);
  return columns.map((column) => {
    const all = (byColumn.get(column.id) ?? []).sort(byPlace).map(({ card }) => card);
    const shown = { column, all, cards: all.filter((card) => fits(card, column)) };
    const old = before.find((one) => one.column.id === column.id);
    return old !== undefined && isSame(old, shown) ? old : shown;
  });
}

function isSame(old: Shown, shown: Shown): boolean {
  return old.column === shown.column && sameCards(old.all, shown.all) && sameCards(old.cards, shown.cards);
}

function sameCards(old: readonly CardSummary[], cards: readonly CardSummary[]): boolean {
  return old.length === cards.length && old.every((card, index) => card === cards[index]);
}

function byPlace(a: Placed, b: Placed): number {
  const group = GROUPS[a.card.state] - GROUPS[b.card.state];
  if (group !== 0) return group;
  if (a.card.state === 'done' || a.card.state === 'archived') {
    return a.card.updated_at < b.card.updated_at ? 1 : -1;
  }
  if (a.card.state === 'leased')
    return (a.card.lease?.claimed_at ?? '') < (b.card.lease?.claimed_at ?? '') ? -1 : 1;
  return b.card.priority - a.card.priority || a.rank - b.rank;
}

/** Rank of a card that is put beside another one, or at an end. */
export function rankBetween(above: number | undefined, below: number | undefined): number {
  if (above === undefined && below === undefined) return 0;
  if (above === undefined) return (below ?? 0) - 1;
  if (below === undefined) return above + 1;
  return (above + below) / 2;
}
