/**
 * Graphs that are not finished. Each has an entry that the reaper lists, and that stands in the timed lane of a
 * queue too, where claims meet it: with the reaper off a committed graph is still finished.
 */
import type { Engine } from '../engine.ts';
import { ABSENT, expression, PRESENT } from '../store/conditions.ts';
import { LAYOUT_VERSION, type Job } from '../store/items.ts';
import { GRAPHS_PK, graphEntryKey, graphKey, laneOf, order, timedPos } from '../store/keys.ts';
import { GraphSchema, type GraphItem } from '../store/link-items.ts';
import type { Delete, Put, Update } from '../store/params.ts';
import { GRAPH_KEPT_MS, GRAPH_STALE_MS } from '../policy.ts';

export async function readGraph(engine: Engine, graphId: string): Promise<GraphItem | undefined> {
  const item = await engine.store.get(graphKey(graphId));
  return item === undefined ? undefined : GraphSchema.parse(item);
}

/** @param queueId A queue that the graph's cards come into, null for none. */
export function openPuts(
  graphId: string,
  boardId: string,
  cards: Readonly<Record<string, string>>,
  queueId: string | null,
  now: number,
): [Put, Put] {
  const common = { v: LAYOUT_VERSION, board_id: boardId };
  const graph = { ...graphKey(graphId), ...common, state: 'open', cards, opened_at: now };
  const lane =
    queueId === null ? {} : { lane: laneOf(queueId, 'T'), pos: entryPos(graphId, now + GRAPH_STALE_MS) };
  return [
    { kind: 'put', item: graph, condition: ABSENT },
    { kind: 'put', item: { ...graphEntryKey(graphId), ...common, run: 0, ...lane } },
  ];
}

const entryPos = (graphId: string, due: number): string => timedPos(due, 't', order(0, graphId));

/** Makes the entry ring later. */
export function laterWrite(graphId: string, due: number): Update {
  return {
    kind: 'update',
    key: graphEntryKey(graphId),
    set: { pos: entryPos(graphId, due) },
    remove: [],
    condition: expression('attribute_exists(#lane)', {}),
  };
}

/** THE moment: from this write on the graph's cards exist. @param kept True for a card's own graph, of which there is never a second. */
export function commitWrite(graphId: string, now: number, kept: boolean): Update {
  return stateWrite(graphId, 'committed', kept ? {} : { ttl: Math.ceil((now + GRAPH_KEPT_MS) / 1_000) });
}

export const abortWrite = (graphId: string): Update => stateWrite(graphId, 'aborted', {});

function stateWrite(graphId: string, state: Job['state'] | GraphItem['state'], more: object): Update {
  return {
    kind: 'update',
    key: graphKey(graphId),
    set: { state, ...more },
    remove: [],
    condition: expression('#state = :c_open', { open: 'open' }),
  };
}

/** The card that it broke down is deleted: nobody asks for it any more than for another graph. */
export const forgetWrite = (graphId: string, now: number): Update => ({
  kind: 'update',
  key: graphKey(graphId),
  set: { ttl: Math.ceil((now + GRAPH_KEPT_MS) / 1_000) },
  remove: [],
  condition: PRESENT,
});

export const entryDelete = (graphId: string): Delete => ({ kind: 'delete', key: graphEntryKey(graphId) });

export async function listGraphs(engine: Engine): Promise<string[]> {
  const ids: string[] = [];
  for await (const items of engine.store.pages({
    pk: { name: 'pk', value: GRAPHS_PK },
    consistent: true,
  })) {
    ids.push(...items.map(({ sk }) => String(sk)));
  }
  return ids;
}
