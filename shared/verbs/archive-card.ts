/** Archive: hide a card; it keeps its place and may come back. */
import { changeCard } from '../cards/change.ts';
import { archived } from '../cards/archive.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ForceBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card. Held, only with `force` and a `reason`, and then its lease ends; archived already, nothing changes. */
export async function archiveCard(
  engine: Engine,
  caller: Caller,
  input: ForceBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [archived(input)]);
}
