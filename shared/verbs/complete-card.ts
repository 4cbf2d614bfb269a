/** Complete: a person says that a card nobody holds is done. */
import { changeCard } from '../cards/change.ts';
import { completedByHand } from '../cards/complete.ts';
import type { Caller, Engine } from '../engine.ts';
import type { CompleteCardBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/**
 * Answers the card, in its success column or done in place, with a run of no length that says who did it and what
 * it hands on. Held: `lease_held`; with open parents: `parents_open`. Done already, nothing changes.
 */
export async function completeCard(
  engine: Engine,
  caller: Caller,
  input: CompleteCardBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [completedByHand(input)]);
}
