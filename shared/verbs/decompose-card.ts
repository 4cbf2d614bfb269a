/** Decompose: break a card down into linked sub-cards, atomically and once. */
import { findJob, openBoard } from '../cards/read.ts';
import { hasScope, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { makeGraph, replayedGraph, type GraphView } from '../graphs/make.ts';
import { planGraph } from '../graphs/plan.ts';
import { decomposedInto, mustBeWhole, rootWrite } from '../graphs/root.ts';
import type { Repeatable, Replayable } from '../idempotency.ts';
import type { DecomposeCardBody } from '../schemas/graphs.ts';
import type { Traced } from '../trace-context.ts';

const DONE = 200;

/**
 * Answers the ids of the sub-cards by ref. The card becomes their container: it waits until all are done and is then
 * offered again, to be judged. From triage it goes to the queue where work is done. A card is broken down once,
 * whatever became of the sub-cards; with a `lease_token` its worker may do it.
 */
export async function decomposeCard(
  engine: Engine,
  caller: Caller,
  input: DecomposeCardBody & Traced & { card: string },
  repeat: Repeatable | null,
): Promise<Replayable<GraphView>> {
  const { lease_token } = input;
  if (lease_token === undefined && !hasScope(caller, 'member')) {
    throw problem(
      'forbidden',
      "Breaking a card down needs the scope 'member', or the lease_token of the lease under which you hold it.",
    );
  }
  const job = await findJob(engine, caller, input.card);
  const board = await openBoard(engine, caller, job.board_id);
  const replay = await replayedGraph(engine, caller, repeat);
  if (replay !== null) return replay;
  await mustBeWhole(engine, job);
  const queue = await decomposedInto(engine, board, job);
  const write = async () => rootWrite(engine, caller, job.pk, { queue, lease_token });
  // Refused before anything is staged, where it is refused at all.
  await write();
  const plan = planGraph(input, engine.deps, job.pk);
  return makeGraph({
    engine,
    caller,
    board,
    graphId: job.pk,
    plan,
    repeat,
    traceparent: input.traceparent,
    status: DONE,
    column: queue,
    root: { id: job.pk, write },
  });
}
