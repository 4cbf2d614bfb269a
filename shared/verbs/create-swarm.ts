/** Create a swarm: a blackboard, workers, a verifier and a synthesizer, all or nothing. */
import { workQueue } from '../cards/column-for.ts';
import { openBoard } from '../cards/read.ts';
import { columnsOf, type Board } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { makeGraph, replayedGraph, type GraphView } from '../graphs/make.ts';
import { planGraph, type GraphPlan } from '../graphs/plan.ts';
import { SWARM_ROOT, swarmGraph } from '../graphs/swarm.ts';
import type { Repeatable, Replayable } from '../idempotency.ts';
import { ulidOf } from '../ids.ts';
import { targetColumn } from '../columns.ts';
import type { CreateSwarmBody } from '../schemas/graphs.ts';
import type { Traced } from '../trace-context.ts';

const CREATED = 201;

/**
 * Answers the ids by ref: `root`, `worker-1` and on, `verifier`, `synthesizer`. The root is done from the start; what
 * workers want each other to know they append to it as comments. Each card names it in `properties.swarm.blackboard`.
 */
export async function createSwarm(
  engine: Engine,
  caller: Caller,
  input: CreateSwarmBody & Traced & { board: string },
  repeat: Repeatable | null,
): Promise<Replayable<GraphView>> {
  const board = await openBoard(engine, caller, input.board);
  const replay = await replayedGraph(engine, caller, repeat);
  if (replay !== null) return replay;
  const place = await placeOf(engine, board, input.column_id);
  const plan = withBlackboard(planGraph(swarmGraph(input, place), engine.deps, null));
  const graphId = ulidOf(plan.ids.get(SWARM_ROOT) ?? '');
  const { traceparent } = input;
  return makeGraph({ engine, caller, board, graphId, plan, repeat, traceparent, status: CREATED });
}

async function placeOf(engine: Engine, board: Board, columnId: string | undefined) {
  const queue =
    columnId === undefined ? await workQueue(engine, board) : await targetColumn(engine, board.id, columnId);
  const done = (await columnsOf(engine, board)).find(
    ({ role, item }) => role === 'done' && item.closing_at === undefined,
  );
  if (queue?.queue === true && done !== undefined) return { queue: queue.column_id, done: done.column_id };
  throw problem(
    'conflict',
    'A swarm needs a queue for its work and a column with the role done for its blackboard. Make them, or name the ' +
      'queue in column_id.',
  );
}

/** The root's id, known only now, where the cards have its ref. */
function withBlackboard(plan: GraphPlan): GraphPlan {
  const root = plan.ids.get(SWARM_ROOT);
  const cards = plan.cards.map((card) => {
    const swarm = card.body.properties?.['swarm'];
    if (card.id === root || typeof swarm !== 'object') return card;
    return { ...card, body: { ...card.body, properties: { swarm: { ...swarm, blackboard: root } } } };
  });
  return { ...plan, cards };
}
