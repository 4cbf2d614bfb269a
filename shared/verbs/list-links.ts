/** The links of a card: what blocks it, and what it blocks. */
import { AnswerRoom } from '../answer-room.ts';
import { findJob } from '../cards/read.ts';
import { summariesById } from '../cards/summaries.ts';
import type { Caller, Engine } from '../engine.ts';
import { childrenOf, parentsOf } from '../links/open-parents.ts';
import type { CardSummary } from '../views/card.ts';

export interface LinksView {
  readonly parents: readonly CardSummary[];
  readonly children: readonly CardSummary[];
}

/**
 * Answers both sides as summaries, sub-cards and containers among them. A parent that was deleted has none; while it
 * blocks the card, its id is in the card's `waiting_detail`.
 */
export async function listLinks(engine: Engine, caller: Caller, input: { card: string }): Promise<LinksView> {
  const { pk } = await findJob(engine, caller, input.card);
  const [parents, children] = await Promise.all([parentsOf(engine, pk), childrenOf(engine, pk)]);
  const summaries = await summariesById(engine, [...parents, ...children]);
  const room = new AnswerRoom();
  const shown = (ids: readonly string[]) =>
    ids.flatMap((id) => summaries.get(id) ?? []).filter((summary) => room.takes(summary));
  return { parents: shown(parents), children: shown(children) };
}
