/**
 * Idempotency keys. The record is written in the transaction that does the work and holds ids and a
 * fingerprint, never an answer or a secret: a replay builds its answer from what is there now. So a record
 * exists exactly when the work was done.
 */
import type { Caller, Engine } from './engine.ts';
import { problem } from './errors.ts';
import { IDEMPOTENCY_MS } from './policy.ts';
import { expression } from './store/conditions.ts';
import { IdempotencySchema, LAYOUT_VERSION, type IdempotencyItem } from './store/items.ts';
import { idempotencyKey, type Key } from './store/keys.ts';
import type { Put } from './store/params.ts';

/** A request that its caller may repeat. `route` is the method and the path as called. */
export interface Repeatable {
  readonly key: string;
  readonly route: string;
  /** SHA-256 of the whole body, base64url. */
  readonly fingerprint: string;
}

/** What a verb that creates or claims answers: whether it made something new, and whether it is a replay. */
export interface Replayable<T> {
  readonly value: T;
  readonly created: boolean;
  readonly replayed: boolean;
}

/** Ids that a replay is answered from. */
export interface Recorded {
  readonly board_id: string;
  readonly card_id?: string;
  readonly column_id?: string;
  readonly graph_id?: string;
  readonly rows?: string;
  readonly run?: number;
  readonly sequence?: number;
  readonly status: number;
}

/** `row` tells the records of one batch apart. */
function keyOf(caller: Caller, request: Repeatable, row: number | null): Key {
  const name = row === null ? request.key : `${request.key}\n${row}`;
  return idempotencyKey(caller.tokenId, request.route, name);
}

/**
 * The record of an earlier equal request, or undefined. An expired one counts as none, whatever TTL has tidied.
 * Throws `idempotency_key_reused` when the key was used for another body.
 */
export async function findRecord(
  engine: Engine,
  caller: Caller,
  request: Repeatable,
  row: number | null = null,
): Promise<IdempotencyItem | undefined> {
  const item = await engine.store.get(keyOf(caller, request, row));
  if (item === undefined) return undefined;
  const record = IdempotencySchema.parse(item);
  if (record.expires_at <= engine.deps.now()) return undefined;
  if (record.fingerprint !== request.fingerprint) {
    throw problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used within a day for a request with another body. Use a new key.',
    );
  }
  return record;
}

/** The record's write, refused when a record in force is there already. */
export function recordWrite(
  engine: Engine,
  caller: Caller,
  request: Repeatable,
  recorded: Recorded,
  row: number | null = null,
): Put {
  const now = engine.deps.now();
  const expires_at = now + IDEMPOTENCY_MS;
  return {
    kind: 'put',
    item: {
      ...keyOf(caller, request, row),
      v: LAYOUT_VERSION,
      fingerprint: request.fingerprint,
      ...recorded,
      expires_at,
      ttl: Math.ceil(expires_at / 1_000),
    },
    condition: expression('attribute_not_exists(#pk) OR #expires_at <= :c_now', { now }),
  };
}

/**
 * After a record's write was refused: the record that refused it. Missing at that, two equal requests collided
 * in one instant and neither is recorded yet.
 */
export async function recordAfterRefusal(
  engine: Engine,
  caller: Caller,
  request: Repeatable,
  row: number | null = null,
): Promise<IdempotencyItem> {
  const record = await findRecord(engine, caller, request, row);
  if (record !== undefined) return record;
  throw problem(
    'idempotency_in_progress',
    'An equal request is running. Repeat it with the same key shortly.',
    {
      retry_after_seconds: 1,
    },
  );
}
