/** What a token is, told to whoever holds it. */
import type { Caller, Engine } from '../engine.ts';
import { iso } from '../views/time.ts';

export async function whoAmI(engine: Engine, caller: Caller) {
  return {
    token_id: caller.tokenId,
    name: caller.tokenName,
    scopes: caller.scopes,
    board_id: caller.boardId,
    agent: caller.agent,
    server_time: iso(engine.deps.now()),
  };
}
