/** Unhold: let a card be offered again. */
import { changeCard } from '../cards/change.ts';
import { edited } from '../cards/edit.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReasonBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, ready unless something else keeps it. Not on hold, nothing changes. */
export async function unholdCard(
  engine: Engine,
  caller: Caller,
  input: ReasonBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [edited({ hold: false }, { reason: input.reason })]);
}
