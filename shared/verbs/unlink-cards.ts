/** Unlink two cards: the child waits for the parent no longer. */
import type { Caller, Engine } from '../engine.ts';
import { decideUntilWritten, type Decision } from '../jobs.ts';
import { lookAtCards } from '../links/look.ts';
import { unlinkChange } from '../links/unlink.ts';
import type { UnlinkCardsQuery } from '../schemas/links.ts';

/** Answers nothing. The child is ready at once when nothing else keeps it. The parent may be deleted by now. */
export async function unlinkCards(
  engine: Engine,
  caller: Caller,
  { card, parent_id, child_id }: UnlinkCardsQuery & { card: string },
): Promise<void> {
  const link = { parent: parent_id ?? card, child: child_id ?? card };
  await decideUntilWritten(engine, async (): Promise<Decision<void>> => {
    const { change, also } = await unlinkChange(engine, caller, link);
    return { change, also, result: () => undefined };
  });
  await lookAtCards(engine, [link.child]);
}
