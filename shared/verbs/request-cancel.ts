/** Request cancel: ask the worker that holds the card to stop, politely. */
import { changeCard } from '../cards/change.ts';
import { cancelRequested } from '../cards/lease-steps.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReasonBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, still held. The worker hears of it at its next heartbeat and may finish all the same. */
export async function requestCancel(
  engine: Engine,
  caller: Caller,
  input: ReasonBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [cancelRequested(input.reason)], { endsExpired: false });
}
