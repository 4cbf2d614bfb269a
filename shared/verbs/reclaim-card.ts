/** Reclaim: take a card from its worker. */
import { changeCard } from '../cards/change.ts';
import { reclaimed } from '../cards/lease-steps.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReclaimCardBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, back in its queue with its attempt spent. The run closes as `reclaimed` and the token is dead. */
export async function reclaimCard(
  engine: Engine,
  caller: Caller,
  input: ReclaimCardBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [reclaimed(input.reason)], { endsExpired: false });
}
