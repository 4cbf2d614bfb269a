/** Hold: keep a card from being offered until it is let go. */
import { changeCard } from '../cards/change.ts';
import { edited } from '../cards/edit.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReasonBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/**
 * Answers the card. A worker that has it keeps it and may finish; a late one, whose lease has expired, cannot
 * take it back. Held already, nothing changes.
 */
export async function holdCard(
  engine: Engine,
  caller: Caller,
  input: ReasonBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [edited({ hold: true }, { reason: input.reason })]);
}
