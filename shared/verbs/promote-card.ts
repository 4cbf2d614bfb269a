/** Promote: bring a card to where it is offered, at once. */
import { changeCard } from '../cards/change.ts';
import { promoted } from '../cards/promote.ts';
import type { Caller, Engine } from '../engine.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, ready. What somebody decided (draft, hold, a schedule, parents) is not overruled: `conflict`. */
export async function promoteCard(
  engine: Engine,
  caller: Caller,
  input: { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [promoted]);
}
