/** Block: a person stops a card, and says what kind of help it needs. */
import { changeCard } from '../cards/change.ts';
import { blocked } from '../cards/block.ts';
import type { Caller, Engine } from '../engine.ts';
import type { BlockCardBody } from '../schemas/blocks.ts';
import type { CardView } from '../views/card.ts';

/**
 * Answers the card. A held one too, without force: its lease ends, and its worker is told at its next call. The
 * same kind too often, it goes to triage.
 */
export async function blockCard(
  engine: Engine,
  caller: Caller,
  input: BlockCardBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [blocked(input)]);
}
