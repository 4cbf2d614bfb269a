/** What the table knows of a caller: of who holds an API token, or of who acts in an IAM role. */
import type { Caller, Engine } from '../engine.ts';
import { expression } from '../store/conditions.ts';
import { TokenSchema, type TokenItem } from '../store/items.ts';
import { tokenKey } from '../store/keys.ts';
import { DAY_MS } from '../units.ts';

export async function readToken(engine: Engine, id: string): Promise<TokenItem | undefined> {
  const item = await engine.store.get(tokenKey(id));
  return item === undefined ? undefined : TokenSchema.parse(item);
}

export function hasEnded(token: TokenItem, now: number): boolean {
  return token.revoked_at !== undefined || (token.expires_at !== undefined && token.expires_at <= now);
}

export function callerOf(token: TokenItem): Caller {
  return {
    tokenId: token.sk,
    tokenName: token.name,
    scopes: token.scopes,
    boardId: token.board_id ?? null,
    agent: token.agent ?? null,
    ...(token.requests_per_minute === undefined ? {} : { requestsPerMinute: token.requests_per_minute }),
  };
}

/** Takes work that a request need not wait for, so long as it is done by the time of its answer. */
export type Beside = (work: Promise<void>) => void;

/**
 * Notes that a token is in use: its first use of each day (UTC), so that it costs a write a day and not one a
 * request. Never fails: who is let in does not depend on it.
 */
export function noteUse(engine: Engine, token: TokenItem, beside: Beside): void {
  const now = engine.deps.now();
  const today = now - (now % DAY_MS);
  if (token.last_used_at !== undefined && token.last_used_at >= today) return;
  beside(writeUse(engine, token, now, today));
}

async function writeUse(engine: Engine, token: TokenItem, now: number, today: number): Promise<void> {
  // What this instance remembers is told at once, or each request of the next minute would write too.
  token.last_used_at = now;
  const condition = expression(
    'attribute_exists(#pk) AND (attribute_not_exists(#last_used_at) OR #last_used_at < :c_today)',
    { today },
  );
  const key = tokenKey(token.sk);
  await engine.store
    .write({ kind: 'update', key, set: { last_used_at: now }, remove: [], condition })
    .catch(() => undefined);
}
