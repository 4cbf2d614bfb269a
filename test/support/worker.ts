/** A worker as tests speak of it: claims from a queue and answers for what it holds. */
import type { Caller, Engine } from '../../shared/engine.ts';
import { claimNext } from '../../shared/verbs/claim-next.ts';
import { completeLease } from '../../shared/verbs/complete-lease.ts';
import { failLease } from '../../shared/verbs/fail-lease.ts';
import { releaseLease } from '../../shared/verbs/release-lease.ts';
import { renewLease } from '../../shared/verbs/renew-lease.ts';
import type { ClaimView } from '../../shared/views/claim.ts';
import type { TestQueue } from './queue.ts';

type Held = Pick<ClaimView, 'lease_id' | 'lease_token'>;
const leaseOf = (held: Held) => ({ lease: held.lease_id, lease_token: held.lease_token });

/** Claims, or answers null when nothing was offered. */
export async function claimFrom(
  engine: Engine,
  caller: Caller,
  queue: TestQueue,
  more: object = {},
): Promise<ClaimView | null> {
  const { value } = await claimNext(
    engine,
    caller,
    { board: queue.board, column: queue.column.column_id, ...more },
    null,
  );
  return value.card === null ? null : value;
}

/** The same, for a test that must be given a card. */
export async function mustClaim(
  engine: Engine,
  caller: Caller,
  queue: TestQueue,
  more: object = {},
): Promise<ClaimView> {
  const held = await claimFrom(engine, caller, queue, more);
  if (held === null) throw new Error('Nothing was offered');
  return held;
}

/** Why nothing was offered. */
export async function whyNothing(engine: Engine, caller: Caller, queue: TestQueue, more: object = {}) {
  const { value } = await claimNext(
    engine,
    caller,
    { board: queue.board, column: queue.column.column_id, ...more },
    null,
  );
  if (value.card !== null) throw new Error(`A card was offered: ${value.card.id}`);
  return value;
}

export const complete = (engine: Engine, caller: Caller, held: Held, more: object = {}) =>
  completeLease(engine, caller, { ...leaseOf(held), ...more });
export const fail = (engine: Engine, caller: Caller, held: Held, more: object = {}) =>
  failLease(engine, caller, { ...leaseOf(held), reason: 'it did not work', ...more });
export const release = (engine: Engine, caller: Caller, held: Held, more: object = {}) =>
  releaseLease(engine, caller, { ...leaseOf(held), ...more });
export const renew = (engine: Engine, caller: Caller, held: Held, more: object = {}) =>
  renewLease(engine, caller, { ...leaseOf(held), ...more });
