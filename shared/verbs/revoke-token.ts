/** Revoke a token or a role: it opens nothing any more within the minute that instances remember tokens. */
import { ownToken } from '../auth/own-token.ts';
import type { Caller, Engine } from '../engine.ts';
import { PRESENT } from '../store/conditions.ts';
import { tokenKey } from '../store/keys.ts';

/** Revoking twice is no error. */
export async function revokeToken(
  engine: Engine,
  caller: Caller,
  input: { token_id: string },
): Promise<void> {
  const token = await ownToken(engine, caller, input.token_id);
  if (token.revoked_at !== undefined) return;
  const set = { revoked_at: engine.deps.now() };
  await engine.store.write({ kind: 'update', key: tokenKey(token.sk), set, remove: [], condition: PRESENT });
}
