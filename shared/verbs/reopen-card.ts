/** Reopen: a done card is to be done again. */
import { changeCard } from '../cards/change.ts';
import { reopened } from '../cards/reopen.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReopenCardBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, its attempts begun anew: in the column named, or in the one that it came from. */
export async function reopenCard(
  engine: Engine,
  caller: Caller,
  input: ReopenCardBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [reopened(input)]);
}
