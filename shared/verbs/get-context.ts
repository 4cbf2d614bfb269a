/** Context: what a worker should have read of a card before it begins. */
import { findCard } from '../cards/read.ts';
import { contextOf, type ContextView } from '../context/context.ts';
import type { Caller, Engine } from '../engine.ts';

/** Answers one text for a model, the same in sections, and what was cut. Bounded, whatever hangs on the card. */
export async function getContext(
  engine: Engine,
  caller: Caller,
  input: { card: string },
): Promise<ContextView> {
  return contextOf(engine, await findCard(engine, caller, input.card));
}
