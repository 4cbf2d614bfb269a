/** Reopen review: a person sends a card that stands in review back to its implementer. */
import { changeCard } from '../cards/change.ts';
import { reviewReopened } from '../cards/reopen-review.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ReopenReviewBody } from '../schemas/reviews.ts';
import type { CardView } from '../views/card.ts';

/** Answers the card, back where it came from, as a reviewer's request for changes would leave it. */
export async function reopenReview(
  engine: Engine,
  caller: Caller,
  input: ReopenReviewBody & { card: string },
): Promise<CardView> {
  return changeCard(engine, caller, input.card, [reviewReopened(input.reason)]);
}
