/**
 * Cards as the board keeps them, and how news about a card is merged with what is known. Lists, answers and events
 * overlap and come in any order; the newer of two wins, by the card's own times and numbers.
 */
import type { BoardEvent, CardSummary } from '../../../client/types.ts';

export interface Placed {
  readonly card: CardSummary;
  /** Place within its column: lower stands higher, among cards of one priority. */
  readonly rank: number;
  /** Number of the last event applied; 0 when none was. */
  readonly sequence: number;
}

export type Cards = ReadonlyMap<string, Placed>;

/** Whether `next` says something that `known` does not know yet. */
export function isNewer(known: CardSummary, next: CardSummary): boolean {
  if (next.fence !== known.fence) return next.fence > known.fence;
  if (next.rev !== known.rev) return next.rev > known.rev;
  return Date.parse(next.updated_at) >= Date.parse(known.updated_at);
}

/** Null when the event is about no card, or old news. */
export function cardOfEvent(event: BoardEvent, known: Placed | undefined): CardSummary | null {
  const { card } = event.data;
  if (card === null) return null;
  if (known === undefined) return card;
  if (known.sequence > 0) return event.sequence > known.sequence ? card : null;
  return isNewer(known.card, card) ? card : null;
}

/** What a whole card has beyond a summary; large, and of no use on the board. */
const WHOLE_ONLY = new Set(['body', 'properties', 'output', 'summary', 'deduplicated']);

/** A summary out of a whole card: what a verb answers is held in the same shape as what a list answers. */
export function summaryOf(card: CardSummary): CardSummary {
  return Object.fromEntries(
    Object.entries(card).filter(([name]) => !WHOLE_ONLY.has(name)),
  ) as unknown as CardSummary;
}
