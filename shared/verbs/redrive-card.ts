/** Redrive: a dead card back to the queue that it died in, its attempts begun anew. */
import { changeCard } from '../cards/change.ts';
import { redriven } from '../cards/redrive.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReasonBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, at the bottom of its queue; runs and fence go on. Not dead: `conflict`. */
export async function redriveCard(
  engine: Engine,
  caller: Caller,
  input: ReasonBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [redriven(input.reason)]);
}
