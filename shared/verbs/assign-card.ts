/** Assign a card to one agent or person, or to nobody. */
import { changeCard } from '../cards/change.ts';
import { assigned } from '../cards/lease-steps.ts';
import type { Caller, Engine } from '../engine.ts';
import type { AssignCardBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card. Held, only with `force` and a `reason`, and then its lease ends. */
export async function assignCard(
  engine: Engine,
  caller: Caller,
  input: AssignCardBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [assigned(input.assignee, input)]);
}
