/** Redriving one card by its id, for the verbs on a card and on a whole column. */
import { writeSteps } from './cards/change.ts';
import type { WholeCard } from './cards/read.ts';
import { redriven } from './cards/redrive.ts';
import type { Caller, Engine } from './engine.ts';

export async function redriveJob(engine: Engine, caller: Caller, cardId: string): Promise<WholeCard> {
  return writeSteps(engine, caller, cardId, [redriven()]);
}
