/**
 * Who calls: the bearer token looked up by its id, its secret compared with the hash that is kept. A look-up is
 * remembered for a minute, which is the longest that a revoked token still works; its expiry is checked at every
 * use.
 */
import type { Cache } from '../cache.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem, type Problem } from '../errors.ts';
import { TokenSchema, type TokenItem } from '../store/items.ts';
import { tokenKey } from '../store/keys.ts';
import { parseBearer, secretMatches } from './bearer-token.ts';

/**
 * @param authorization value of the `Authorization` header.
 * @throws Problem `unauthenticated`, in the same words whether the token is unknown, revoked or expired: which of
 * them it is concerns nobody who does not hold it.
 */
export async function authenticate(
  engine: Engine,
  tokens: Cache<TokenItem>,
  authorization: string | undefined,
): Promise<Caller> {
  const given = parseBearer(authorization);
  if (given === null) {
    throw unauthenticated(
      'Send the header `Authorization: Bearer lb_<id>_<secret>` with a token of this installation.',
    );
  }
  const token = await tokens.get(given.id, () => readToken(engine, given.id));
  if (token === undefined || !secretMatches(given.secret, token.hash) || hasEnded(token, engine.deps.now())) {
    throw unauthenticated(
      'The token is unknown, revoked or expired. Ask an admin of this installation for a new one.',
    );
  }
  return callerOf(given.id, token);
}

async function readToken(engine: Engine, id: string): Promise<TokenItem | undefined> {
  const item = await engine.store.get(tokenKey(id));
  return item === undefined ? undefined : TokenSchema.parse(item);
}

function hasEnded(token: TokenItem, now: number): boolean {
  return token.revoked_at !== undefined || (token.expires_at !== undefined && token.expires_at <= now);
}

function callerOf(id: string, token: TokenItem): Caller {
  return {
    tokenId: id,
    tokenName: token.name,
    scopes: token.scopes,
    boardId: token.board_id ?? null,
    agent: token.agent ?? null,
  };
}

function unauthenticated(detail: string): Problem {
  return problem('unauthenticated', detail);
}
