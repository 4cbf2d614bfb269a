/** Unblock: what the card was stopped for is mended. */
import { changeCard } from '../cards/change.ts';
import { unblocked } from '../cards/block.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReasonBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, back in the column that it was blocked in. Never refused; not blocked, nothing changes. */
export async function unblockCard(
  engine: Engine,
  caller: Caller,
  input: ReasonBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [unblocked(input.reason)]);
}
