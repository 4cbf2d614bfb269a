/** Frontier: what may I take right now. */
import { summariesById } from '../cards/summaries.ts';
import { EMPTY_REASONS, type EmptyReason } from '../claim/reason.ts';
import { boardFor, columnOf, columnsOf, mustBeOpen } from '../columns.ts';
import { agentName, type Caller, type Engine } from '../engine.ts';
import { offeredIn, type Offered } from '../frontier/offered.ts';
import { FRONTIER_ITEMS } from '../policy.ts';
import type { FrontierQuery } from '../schemas/frontier.ts';
import type { CardSummary } from '../views/card.ts';

interface Report {
  readonly reason: EmptyReason | null;
  readonly ready: number;
  readonly active: number;
  /** Fewer cards than agents at work: more agents would only compete, and the plan is too coarse. */
  readonly narrow: boolean;
}

export interface FrontierView extends Report {
  readonly items: readonly CardSummary[];
  readonly by_column: Readonly<Record<string, Report>>;
}

/**
 * Answers the set of cards that a claim by `agent` (default: whoever asks) could be given at this moment, of one
 * queue or of all queues of the board; when it is empty, why. What the index has not yet received is missing, from
 * this as from claims. It takes nothing and changes nothing.
 */
export async function getFrontier(
  engine: Engine,
  caller: Caller,
  { board: boardId, column, agent }: FrontierQuery & { board: string },
): Promise<FrontierView> {
  const board = await boardFor(engine, caller, boardId);
  mustBeOpen(board);
  const columns =
    column === undefined ? await columnsOf(engine, board) : [await columnOf(engine, board, column)];
  const asker = { agent: agent ?? caller.agent, name: agent ?? agentName(caller), filter: {} };
  const offered = await Promise.all(
    columns.filter(({ queue }) => queue).map(async (queue) => offeredIn(engine, queue, asker)),
  );
  const ids = offered.flatMap((each) => each.ids);
  const shown = ids.slice(0, FRONTIER_ITEMS);
  const summaries = await summariesById(engine, shown);
  const all = new Set(offered.flatMap(({ agents }) => [...agents]));
  return {
    items: shown.flatMap((id) => summaries.get(id) ?? []),
    ...report(ids.length, all.size, overallReason(offered)),
    by_column: Object.fromEntries(
      offered.map((each) => [each.column.column_id, report(each.ids.length, each.agents.size, each.reason)]),
    ),
  };
}

const report = (ready: number, active: number, reason: EmptyReason | null): Report => ({
  reason: ready > 0 ? null : reason,
  ready,
  active,
  narrow: ready < active,
});

/** The first reason that holds in any column; `paused` only when all are, since the others still say something. */
function overallReason(offered: readonly Offered[]): EmptyReason {
  const reasons = offered.map(({ reason }) => reason ?? 'empty');
  const unpaused = reasons.filter((reason) => reason !== 'paused');
  const among = new Set(unpaused.length > 0 ? unpaused : reasons);
  return EMPTY_REASONS.find((reason) => among.has(reason)) ?? 'empty';
}
