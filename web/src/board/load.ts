/** Reads the cards of a board, column by column, a page at a time. */
import type { LeaseboardClient } from '../../../client/client.ts';
import type { CardQuery, CardSummary, ColumnDetail, Page } from '../../../client/types.ts';

const PAGE = 100;
/** Of one column; beyond this nobody looks at cards one by one, and the search finds the others. */
const MOST_PAGES = 30;
/** What is done is history: the newest are enough, and there may be a hundred thousand. */
const DONE_PAGES = 2;
/** Columns read side by side. */
const WIDTH = 3;

/** Some cards of a column, in its order. */
export interface LoadedPage {
  readonly column: ColumnDetail;
  readonly cards: readonly CardSummary[];
  /** How many cards of the column came before these. */
  readonly from: number;
  /** Whether more is coming, and if not, whether the column has more cards than were read. */
  readonly end: 'more' | 'whole' | 'cut';
}

type OnPage = (page: LoadedPage) => void;

/** Tells of each page as it comes, so that the first cards show while the rest is on its way. */
export async function loadColumns(
  client: LeaseboardClient,
  board: string,
  columns: readonly ColumnDetail[],
  archived: boolean,
  onPage: OnPage,
): Promise<void> {
  const waiting = [...columns];
  const reader = async (): Promise<void> => {
    for (let column = waiting.shift(); column !== undefined; column = waiting.shift()) {
      await loadColumn(client, board, column, archived, onPage);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, reader));
}

export async function loadColumn(
  client: LeaseboardClient,
  board: string,
  column: ColumnDetail,
  archived: boolean,
  onPage: OnPage,
): Promise<void> {
  const done = column.role === 'done';
  const query = { column: column.id, ...(done ? ({ sort: 'created' } as const) : {}) };
  const read = await pages(client, board, query, done ? DONE_PAGES : MOST_PAGES, { column, from: 0 }, onPage);
  if (archived) await pages(client, board, { column: column.id, archived: true }, DONE_PAGES, read, onPage);
}

/** Where the next page begins. */
type Start = Pick<LoadedPage, 'column' | 'from'>;

async function pages(
  client: LeaseboardClient,
  board: string,
  filter: CardQuery,
  most: number,
  start: Start,
  onPage: OnPage,
): Promise<Start> {
  let { from } = start;
  let cursor: string | null = null;
  for (let page = 1; page <= most; page += 1) {
    const answer: Page<CardSummary> = await client.cards.list(board, {
      ...filter,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    cursor = answer.next_cursor;
    const end = cursor === null ? 'whole' : page === most ? 'cut' : 'more';
    onPage({ column: start.column, cards: answer.items, from, end });
    from += answer.items.length;
    if (cursor === null) break;
  }
  return { column: start.column, from };
}
