/**
 * What a claim reads first, begun beside the look-up of its token: on a cold instance that saves a round trip.
 * It only reads; nothing of it is used unless the token is good.
 */
import { columnToClaim } from '../columns.ts';
import type { Caller, Engine } from '../engine.ts';
import { readLanes, someShards } from './lanes.ts';

/** Stands in while nobody is known: what it may not see is decided anew once the caller is. */
const ANYBODY: Caller = { tokenId: '', tokenName: '', scopes: [], boardId: null, agent: null };

export function prefetchClaim(
  engine: Engine,
  input: { board: string; column: string },
  agent: string | null,
): void {
  const memory = engine.claims.of(input.column);
  const lanes = readLanes(
    engine,
    input.column,
    agent,
    memory.page,
    someShards(memory.shards, () => engine.deps.random()),
  );
  lanes.catch(() => undefined); // The claim that takes it hears of the failure; nobody else need.
  memory.prefetch(agent, lanes, engine.deps.now());
  columnToClaim(engine, ANYBODY, input).catch(() => undefined);
}
