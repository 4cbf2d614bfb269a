/** API tokens and callers as the API shows them: never a secret, never its hash. */
import type { Caller } from '../engine.ts';
import type { TokenItem } from '../store/items.ts';
import { iso, isoOrNull } from './time.ts';

const ID_PREFIX = 'tok_';

/** The id of a token in the API, of its id within the token itself. */
export const tokenId = (id: string): string => ID_PREFIX + id;
/** And back; an id without the prefix is taken as it is. */
export const bareTokenId = (id: string): string =>
  id.startsWith(ID_PREFIX) ? id.slice(ID_PREFIX.length) : id;

export function tokenView(token: TokenItem) {
  return {
    id: tokenId(token.sk),
    name: token.name,
    scopes: token.scopes,
    board_id: token.board_id ?? null,
    agent: token.agent ?? null,
    role_arn: token.role_arn ?? null,
    requests_per_minute: token.requests_per_minute ?? null,
    expires_at: isoOrNull(token.expires_at),
    last_used_at: isoOrNull(token.last_used_at),
    created_at: iso(token.created_at),
  };
}
export type TokenView = ReturnType<typeof tokenView>;

export function callerView(caller: Caller, now: number) {
  return {
    token_id: tokenId(caller.tokenId),
    name: caller.tokenName,
    scopes: caller.scopes,
    board_id: caller.boardId,
    agent: caller.agent,
    server_time: iso(now),
  };
}
export type CallerView = ReturnType<typeof callerView>;
