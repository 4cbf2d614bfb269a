/** The demo's cards: real reports of queues and boards that went wrong, kept as data in `backlog.jsonl`. */
import { readFile } from 'node:fs/promises';
import type { CardInput, LeaseboardClient } from '../client/index.ts';

/** Most cards that one request creates. */
const LARGEST_BATCH = 100;

export async function readBacklog(): Promise<CardInput[]> {
  const text = await readFile(new URL('backlog.jsonl', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CardInput);
}

/** `count` cards of the backlog, over and over, each with its number so that no two are the same. */
export function repeated(backlog: readonly CardInput[], count: number): CardInput[] {
  return Array.from({ length: count }, (_, index) => {
    const card = backlog[index % backlog.length];
    if (card === undefined) throw new Error('demo/backlog.jsonl holds no card');
    return { ...card, properties: { ...card.properties, demo_number: index + 1 } };
  });
}

/** Creates the cards in one column. Throws at the first row that is refused. */
export async function loadCards(
  client: LeaseboardClient,
  board: string,
  columnId: string,
  cards: readonly CardInput[],
): Promise<void> {
  for (let first = 0; first < cards.length; first += LARGEST_BATCH) {
    const batch = cards.slice(first, first + LARGEST_BATCH).map((card) => ({ ...card, column_id: columnId }));
    const { items } = await client.cards.createBatch(board, batch);
    const refused = items.find((item) => item.error !== undefined);
    if (refused !== undefined) {
      const { title } = batch[refused.index] ?? { title: '' };
      throw new Error(`Card ${first + refused.index + 1} ("${title}") was refused: ${refused.error?.detail}`);
    }
  }
}
