/** Create many cards and the links between them, all or nothing. */
import { openBoard } from '../cards/read.ts';
import type { Caller, Engine } from '../engine.ts';
import { makeGraph, replayedGraph, type GraphView } from '../graphs/make.ts';
import { planGraph } from '../graphs/plan.ts';
import type { Repeatable, Replayable } from '../idempotency.ts';
import { ulidOf } from '../ids.ts';
import type { CreateGraphBody } from '../schemas/graphs.ts';
import type { Traced } from '../trace-context.ts';

const CREATED = 201;

/**
 * Answers the ids by ref. No reader and no claimer ever meets a part of it: all of its cards are there from one
 * moment on, or none. Links may name cards that are there already.
 */
export async function createGraph(
  engine: Engine,
  caller: Caller,
  input: CreateGraphBody & Traced & { board: string },
  repeat: Repeatable | null,
): Promise<Replayable<GraphView>> {
  const board = await openBoard(engine, caller, input.board);
  const replay = await replayedGraph(engine, caller, repeat);
  if (replay !== null) return replay;
  const plan = planGraph(input, engine.deps, null);
  const graphId = ulidOf(plan.cards[0]?.id ?? '');
  const { traceparent } = input;
  return makeGraph({ engine, caller, board, graphId, plan, repeat, traceparent, status: CREATED });
}
