/** Move a card: to another column, or to another place in its own. */
import { changeCard } from '../cards/change.ts';
import { moved } from '../cards/move.ts';
import type { Caller, Engine } from '../engine.ts';
import type { MoveCardBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/**
 * Answers the card. Beside another card it takes that card's priority; at the top it goes before the column's
 * first. A held card changes its place within the column freely; out of it only with `force` and a `reason`,
 * and then its lease ends. A lease that has expired holds nothing: it is ended first, as the reaper would.
 */
export async function moveCard(
  engine: Engine,
  caller: Caller,
  input: MoveCardBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [moved(input)]);
}
