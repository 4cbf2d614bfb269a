/** Who calls, however they prove it: an IAM role, a person's identity token, or an API token. */
import type { Cache } from '../cache.ts';
import type { Caller, Engine } from '../engine.ts';
import type { TokenItem } from '../store/items.ts';
import { authenticate } from './authenticate.ts';
import { parseJwt, type People } from './people.ts';
import { authenticateRole } from './role.ts';
import type { Beside } from './token-item.ts';

/** What a request proves its caller by. */
export interface Credentials {
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** ARN of the session that the gateway has checked the signature of; null where it has checked none. */
  readonly sessionArn: string | null;
}

/** What an instance resolves callers with. */
export interface Directory {
  readonly tokens: Cache<TokenItem>;
  /** People of an identity provider; null where the installation has none. */
  readonly people: People | null;
}

/** @throws Problem `unauthenticated`, or `forbidden` for a person without a scope here. */
export async function resolveCaller(
  engine: Engine,
  { tokens, people }: Directory,
  { authorization, sessionArn }: Credentials,
  beside: Beside,
): Promise<Caller> {
  if (sessionArn !== null) return authenticateRole(engine, tokens, sessionArn, beside);
  const jwt = people === null ? null : parseJwt(authorization);
  if (people !== null && jwt !== null) return people.callerOf(jwt, engine.deps.now());
  return authenticate(engine, tokens, authorization, beside);
}
