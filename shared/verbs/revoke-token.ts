/** Revoke a token: it opens nothing any more within the minute that instances remember tokens. */
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { PRESENT } from '../store/conditions.ts';
import { TokenSchema } from '../store/items.ts';
import { tokenKey } from '../store/keys.ts';
import { bareTokenId } from '../views/token.ts';

/** Revoking twice is no error. */
export async function revokeToken(
  engine: Engine,
  caller: Caller,
  input: { token_id: string },
): Promise<void> {
  const key = tokenKey(bareTokenId(input.token_id));
  const item = await engine.store.get(key);
  const token = item === undefined ? undefined : TokenSchema.parse(item);
  if (token === undefined || (caller.boardId !== null && token.board_id !== caller.boardId)) {
    throw notFound('token', input.token_id);
  }
  if (token.revoked_at !== undefined) return;
  const set = { revoked_at: engine.deps.now() };
  await engine.store.write({ kind: 'update', key, set, remove: [], condition: PRESENT });
}
