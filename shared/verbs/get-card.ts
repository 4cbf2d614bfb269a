/** Get a card, whole. */
import { findCard, showCard } from '../cards/read.ts';
import type { Caller, Engine } from '../engine.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card with its text, the output of its last completion and the checkpoint of an abandoned run. */
export async function getCard(engine: Engine, caller: Caller, input: { card: string }): Promise<CardView> {
  return showCard(engine, await findCard(engine, caller, input.card));
}
