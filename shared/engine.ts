/** What every verb is handed: the table, the clock, the keys, and what this instance remembers. */
import type { Bucket } from './attachments/bucket.ts';
import type { ClaimMemory } from './claim/memory.ts';
import type { Deps } from './deps.ts';
import type { LeaseKeys } from './lease-keys.ts';
import type { Scope } from './model/states.ts';
import type { Actor, ColumnItem, BoardItem } from './store/items.ts';
import type { Store } from './store/store.ts';
import type { Cache } from './cache.ts';
import type { WebhookOutlet } from './webhooks/outlet.ts';
import { LIMITS } from './policy.ts';
import { cut } from './text.ts';

export interface Engine {
  readonly store: Store;
  readonly deps: Deps;
  readonly leaseKeys: LeaseKeys;
  readonly columns: Cache<ColumnItem>;
  readonly boards: Cache<BoardItem>;
  readonly slugs: Cache<string>;
  readonly claims: ClaimMemory;
  readonly webhooks: WebhookOutlet;
  /** Where the files of attachments lie. */
  readonly bucket: Bucket;
  /** Longest long poll that this installation holds; 0 for none. */
  readonly maxWaitMs: number;
}

/** Who calls, as the token says: never what the request claims about itself, but for a session's name. */
export interface Caller {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly scopes: readonly Scope[];
  /** The one board that the token is for; null for all. */
  readonly boardId: string | null;
  /** Agent name: bound to the token, or named by the session; null when neither. */
  readonly agent: string | null;
  /** Requests a minute that an admin has limited the token to. */
  readonly requestsPerMinute?: number;
}

const RANK_OF_SCOPE: Record<Scope, number> = { worker: 0, member: 1, admin: 2 };

/** True when the caller holds `scope` or a wider one. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.some((held) => RANK_OF_SCOPE[held] >= RANK_OF_SCOPE[scope]);
}

/** The name a lease is given to: the agent's, or the token's when the session names none. */
export function agentName(caller: Caller): string {
  return caller.agent ?? caller.tokenName;
}

export function actorOf(caller: Caller): Actor {
  return caller.agent === null
    ? { type: 'person', id: cut(caller.tokenName, LIMITS.actorBytes) }
    : { type: 'agent', id: caller.agent };
}

export const SYSTEM: Actor = { type: 'system', id: 'leaseboard' };
