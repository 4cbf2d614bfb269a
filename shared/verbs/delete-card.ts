/** Delete a card for good. */
import { deleteOne } from '../cards/delete.ts';
import type { Caller, Engine } from '../engine.ts';
import type { DeleteCardQuery } from '../schemas/cards.ts';

/** Answers nothing. Held, only with `force` and a `reason`; the worker hears that its card is gone. */
export async function deleteCard(
  engine: Engine,
  caller: Caller,
  input: DeleteCardQuery & { card: string },
): Promise<void> {
  await deleteOne(engine, caller, input.card, input);
}
