/** Claims answered with their cards' contexts, where they were asked for. Unasked, nothing more is read. */
import { findCard } from '../cards/read.ts';
import type { Caller, Engine } from '../engine.ts';
import type { ClaimView } from '../views/claim.ts';
import { contextOf } from './context.ts';

export async function withContext(
  engine: Engine,
  caller: Caller,
  { with_context }: { readonly with_context?: boolean | undefined },
  claim: ClaimView,
): Promise<ClaimView> {
  if (with_context !== true) return claim;
  const context = await contextOf(engine, await findCard(engine, caller, claim.card.id));
  return { ...claim, context };
}
