/**
 * API tokens: looked up by the id, the secret compared with the hash that is kept. A look-up is remembered for a
 * minute, which is the longest that a revoked token still works; its expiry is checked at every use.
 */
import type { Cache } from '../cache.ts';
import type { Caller, Engine } from '../engine.ts';
import { problem, type Problem } from '../errors.ts';
import type { TokenItem } from '../store/items.ts';
import { parseBearer, secretMatches } from './bearer-token.ts';
import { callerOf, hasEnded, noteUse, readToken, type Beside } from './token-item.ts';

/**
 * @param authorization value of the `Authorization` header.
 * @throws Problem `unauthenticated`, in the same words whether the token is unknown, revoked or expired: which of
 * them it is concerns nobody who does not hold it.
 */
export async function authenticate(
  engine: Engine,
  tokens: Cache<TokenItem>,
  authorization: string | undefined,
  beside: Beside,
): Promise<Caller> {
  const given = parseBearer(authorization);
  if (given === null) {
    throw unauthenticated(
      'Send the header `Authorization: Bearer lb_<id>_<secret>` with a token of this installation.',
    );
  }
  const token = await openedBy(engine, tokens, given);
  if (token === undefined) {
    throw unauthenticated(
      'The token is unknown, revoked or expired. Ask an admin of this installation for a new one.',
    );
  }
  noteUse(engine, token, beside);
  return callerOf(token);
}

/** What is remembered may be older than the secret: before one is refused, the token is read again. */
async function openedBy(
  engine: Engine,
  tokens: Cache<TokenItem>,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<TokenItem | undefined> {
  const now = engine.deps.now();
  const remembered = tokens.has(id);
  const look = async () => tokens.get(id, async () => readToken(engine, id));
  const token = await look();
  if (token === undefined || hasEnded(token, now)) return undefined;
  if (opens(token, secret, now)) return token;
  if (!remembered) return undefined;
  tokens.forget(id);
  const again = await look();
  return again !== undefined && !hasEnded(again, now) && opens(again, secret, now) ? again : undefined;
}

/** The secret before the last rotation opens too, for as long as that one gave it. */
function opens({ hash, previous }: TokenItem, secret: string, now: number): boolean {
  if (hash !== undefined && secretMatches(secret, hash)) return true;
  return previous !== undefined && previous.until > now && secretMatches(secret, previous.hash);
}

function unauthenticated(detail: string): Problem {
  return problem('unauthenticated', detail);
}
