/** Unarchive: show a card again, where it stood. */
import { changeCard } from '../cards/change.ts';
import { unarchived } from '../cards/archive.ts';
import type { Caller, Engine } from '../engine.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card in the state that it had. Refused with `conflict` when another open card has its dedupe key by now. */
export async function unarchiveCard(
  engine: Engine,
  caller: Caller,
  input: { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [unarchived]);
}
