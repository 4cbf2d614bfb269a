/** Reads the cards of a board, column by column, a page at a time. */
import type { LeaseboardClient } from '../../../client/client.ts';
import type { CardQuery, CardSummary, ColumnDetail } from '../../../client/types.ts';

const PAGE = 100;
/** Of one column; beyond this nobody looks at cards one by one, and the search finds the others. */
const MOST_PAGES = 30;
/** What is done is history: the newest are enough, and there may be a hundred thousand. */
const DONE_PAGES = 2;
/** Columns read side by side. */
const WIDTH = 3;

export interface LoadedColumn {
  readonly column: ColumnDetail;
  readonly cards: readonly CardSummary[];
  /** False when the column has more cards than were read. */
  readonly whole: boolean;
}

/** Tells of each page as it comes, so that the first cards show while the rest is on its way. */
export async function loadColumns(
  client: LeaseboardClient,
  board: string,
  columns: readonly ColumnDetail[],
  archived: boolean,
  onColumn: (loaded: LoadedColumn) => void,
): Promise<void> {
  const waiting = [...columns];
  const reader = async (): Promise<void> => {
    for (let column = waiting.shift(); column !== undefined; column = waiting.shift()) {
      onColumn(await loadColumn(client, board, column, archived));
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, reader));
}

export async function loadColumn(
  client: LeaseboardClient,
  board: string,
  column: ColumnDetail,
  archived: boolean,
): Promise<LoadedColumn> {
  const done = column.role === 'done';
  const order = done ? ({ sort: 'created' } as const) : {};
  const open = await pages(client, board, { column: column.id, ...order }, done ? DONE_PAGES : MOST_PAGES);
  if (!archived) return { column, ...open };
  const put = await pages(client, board, { column: column.id, archived: true }, DONE_PAGES);
  return { column, cards: [...open.cards, ...put.cards], whole: open.whole };
}

async function pages(
  client: LeaseboardClient,
  board: string,
  filter: CardQuery,
  most: number,
): Promise<{ cards: readonly CardSummary[]; whole: boolean }> {
  const cards: CardSummary[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < most; page += 1) {
    const answer: { items: readonly CardSummary[]; next_cursor: string | null } = await client.cards.list(
      board,
      {
        ...filter,
        limit: PAGE,
        ...(cursor === null ? {} : { cursor }),
      },
    );
    cards.push(...answer.items);
    cursor = answer.next_cursor;
    if (cursor === null) return { cards, whole: true };
  }
  return { cards, whole: false };
}
