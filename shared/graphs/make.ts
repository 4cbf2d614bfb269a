/**
 * Making a graph: cards and links that come to exist all at once, however many there are. They are written staged,
 * which nobody sees; one conditional write then commits them, and after it they go to their lanes. Whatever dies on
 * the way is finished or taken back by whoever meets it.
 */
import { buildCards } from './build.ts';
import { columnFor } from '../cards/column-for.ts';
import { cardKeyText, takeNumbers } from '../cards/numbers.ts';
import type { Board, Column } from '../columns.ts';
import { actorOf, hasScope, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { findRecord, recordWrite, type Repeatable, type Replayable } from '../idempotency.ts';
import { linkVersionWrite, mustCloseNoCycle } from '../links/cycles.ts';
import type { Edge } from '../links/edges.ts';
import { readKnown } from '../links/read-known.ts';
import { GRAPH_CHILDREN_MAX } from '../policy.ts';
import { refusedInput } from '../schemas/parse-input.ts';
import type { Job } from '../store/items.ts';
import type { Update, Write } from '../store/params.ts';
import { blockedWrites, commitGraph } from './commit.ts';
import { abortGraph, finishGraph } from './finish.ts';
import type { GraphPlan, PlannedCard } from './plan.ts';
import { openPuts, readGraph } from './register.ts';
import { stageCards } from './stage.ts';

export interface Making {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly board: Board;
  readonly graphId: string;
  readonly plan: GraphPlan;
  readonly repeat: Repeatable | null;
  /** Trace of the request. */
  readonly traceparent: string | undefined;
  /** Status that a replay tells of. */
  readonly status: number;
  /** Where cards go that name no column; undefined for where any new card goes. */
  readonly column?: Column | undefined;
  /** The card that the graph breaks down, and its change, read anew for each try of the commit. */
  readonly root?: { readonly id: string; readonly write: () => Promise<Write> };
}

export interface GraphView {
  /** Ids by ref. */
  readonly cards: Readonly<Record<string, string>>;
}

/** An earlier equal request's answer; null when there was none. */
export async function replayedGraph(
  engine: Engine,
  caller: Caller,
  repeat: Repeatable | null,
): Promise<Replayable<GraphView> | null> {
  const record = repeat === null ? undefined : await findRecord(engine, caller, repeat);
  if (record === undefined) return null;
  const graph = await readGraph(engine, record.graph_id ?? '');
  return { value: { cards: graph?.cards ?? {} }, created: true, replayed: true };
}

/** @throws Problem for names that are nobody's, cycles, and cards outside that may not be linked to; nothing is made. */
export async function makeGraph(making: Making): Promise<Replayable<GraphView>> {
  const { engine, caller, graphId, plan, board } = making;
  const border = bordersOf(making);
  const version = await mustBeSound(making, border);
  const cards = Object.fromEntries(plan.ids);
  const known = await knownCards(making, border);
  const columns = await columnsFor(making);
  const first = await takeNumbers(engine, board, plan.cards.length);
  const whole = buildCards(
    {
      plan,
      known,
      columnOf: (card) => columnOfCard(columns, card),
      keyOf: (place) => cardKeyText(board, first + place),
      by: actorOf(caller),
      traceparent: making.traceparent,
    },
    engine.deps,
  );
  await open(making, cards, [...columns.values()]);
  const graph = await readGraph(engine, graphId);
  if (graph === undefined) throw collided();
  try {
    await stageCards(engine, { ...graph, id: graphId }, plan, whole);
    await commit(making, border.onto, version);
  } catch (error) {
    if ((await abortGraph(engine, graphId)) === 'aborted') throw error;
  }
  const borders = { from: border.from, onto: [...new Set(border.onto.map(({ child }) => child))] };
  await finishGraph(engine, graphId, graph, borders).catch(() => undefined); // Its entry sees to the rest.
  return { value: { cards }, created: true, replayed: false };
}

/** Links between the graph's cards and cards outside it. */
interface Border {
  readonly from: readonly Edge[];
  readonly onto: readonly Edge[];
}

function bordersOf({ plan }: Making): Border {
  return {
    from: plan.edges.filter(({ parent }) => !plan.isNew(parent)),
    onto: plan.edges.filter(({ child }) => !plan.isNew(child)),
  };
}

/** No cycle, no more cards outside than a commit holds. The version's write, where another link could matter. */
async function mustBeSound(making: Making, { from, onto }: Border): Promise<Update | null> {
  const { engine, caller, board, plan, root } = making;
  const children = new Set(onto.map(({ child }) => child));
  if (children.size > GRAPH_CHILDREN_MAX) {
    throw problem(
      'conflict',
      `A graph may block at most ${GRAPH_CHILDREN_MAX} cards outside it; this one would block ${children.size}.`,
    );
  }
  const others = [...children].some((id) => id !== root?.id);
  if (others && !hasScope(caller, 'member')) {
    throw problem('forbidden', "Letting cards wait that are there already needs the scope 'member'.");
  }
  const joins = from.length > 0 && onto.length > 0;
  const version = joins ? await linkVersionWrite(engine, board.id) : null;
  await mustCloseNoCycle(engine, plan.edges, plan.isNew);
  return version;
}

async function knownCards(
  { engine, board, plan }: Making,
  { from, onto }: Border,
): Promise<ReadonlyMap<string, Job>> {
  const named = [...from.map(({ parent }) => parent), ...onto.map(({ child }) => child)];
  const containers = plan.cards
    .flatMap(({ body }) => body.container_id ?? [])
    .filter((id) => !plan.isNew(id));
  const known = await readKnown(engine, [...named, ...containers], board.id);
  const unknown = [...new Set(named)].filter((id) => !known.has(id));
  if (unknown.length === 0) return known;
  throw refusedInput(
    unknown.map((id) => ({ path: '/links', message: `There is no card '${id}' on this board` })),
  );
}

type Columns = ReadonlyMap<string | undefined, Column>;

async function columnsFor({ engine, board, plan, column }: Making): Promise<Columns> {
  const named = new Set(plan.cards.map(({ body }) => body.column_id));
  const found = await Promise.all(
    [...named].map(async (id) => {
      const own = id === undefined && column !== undefined ? column : await columnFor(engine, board, id);
      return [id, own] as const;
    }),
  );
  return new Map(found);
}

function columnOfCard(columns: Columns, { body }: PlannedCard): Column {
  const column = columns.get(body.column_id);
  if (column === undefined) throw new Error('Every column of a graph was looked up');
  return column;
}

async function open(making: Making, cards: GraphView['cards'], columns: readonly Column[]): Promise<void> {
  const { engine, graphId, board } = making;
  const queue = columns.find((column) => column.queue)?.column_id ?? null;
  const written = await engine.store.transact(openPuts(graphId, board.id, cards, queue, engine.deps.now()));
  if (!written.ok) throw collided();
}

async function commit(making: Making, onto: readonly Edge[], version: Update | null): Promise<void> {
  const { engine, caller, board, graphId, repeat, status, root } = making;
  const recorded = { board_id: board.id, graph_id: graphId, status };
  const outcome = await commitGraph(engine, {
    graphId,
    kept: root !== undefined,
    version,
    others: async () => [
      ...(root === undefined ? [] : [await root.write()]),
      ...(await blockedWrites(
        engine,
        caller,
        onto.filter(({ child }) => child !== root?.id),
      )),
    ],
    record: repeat === null ? null : recordWrite(engine, caller, repeat, recorded),
  });
  if (outcome === 'refused') throw collided();
}

function collided() {
  return problem(
    'throttled',
    'An equal request, or another link, came between. Nothing was made; try again.',
    {
      retry_after_seconds: 1,
    },
  );
}
