/** Reads what the checks look at: every card of the board with all its runs, from the API. */
import {
  everyItem,
  type CardState,
  type CardSummary,
  type LeaseboardClient,
  type Run,
} from '../../client/index.ts';
import type { AuditedCard } from './audit.ts';

const PAGE = 100;
/** Requests under way at once; more would only queue up at the server. */
const AT_ONCE = 16;
/** States in which nothing is left to do. */
const SETTLED: ReadonlySet<string> = new Set<CardState>(['done', 'dead', 'archived']);

/** Whether some card is neither done nor dead. */
export async function hasOpenCards(client: LeaseboardClient, board: string): Promise<boolean> {
  const { counts } = await client.boards.get(board);
  return Object.entries(counts).some(([state, count]) => count > 0 && !SETTLED.has(state));
}

export async function readBoard(client: LeaseboardClient, board: string): Promise<AuditedCard[]> {
  const cards: CardSummary[] = [];
  for await (const card of everyItem((from) => client.cards.list(board, { limit: PAGE, ...from }))) {
    cards.push(card);
  }
  const audited: AuditedCard[] = [];
  for (let first = 0; first < cards.length; first += AT_ONCE) {
    const slice = cards.slice(first, first + AT_ONCE);
    audited.push(...(await Promise.all(slice.map((card) => readCard(client, card)))));
  }
  return audited;
}

async function readCard(client: LeaseboardClient, card: CardSummary): Promise<AuditedCard> {
  const runs: Run[] = [];
  for await (const run of everyItem((from) => client.cards.runs(card.id, { limit: PAGE, ...from }))) {
    runs.push(run);
  }
  return { card, runs };
}
