/** A token by its id, as far as the caller may govern it. */
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import type { TokenItem } from '../store/items.ts';
import { bareTokenId } from '../views/token.ts';
import { readToken } from './token-item.ts';

/** @throws Problem `not_found`, also for tokens of other boards than the caller's own is for. */
export async function ownToken(engine: Engine, caller: Caller, id: string): Promise<TokenItem> {
  const token = await readToken(engine, bareTokenId(id));
  if (token === undefined || (caller.boardId !== null && token.board_id !== caller.boardId)) {
    throw notFound('token', id);
  }
  return token;
}
