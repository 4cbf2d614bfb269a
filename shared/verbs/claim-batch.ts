/** Claim batch: up to ten leases in one call, each row recorded by itself under the caller's key. */
import { AnswerRoom } from '../answer-room.ts';
import { claim } from '../claim/claim.ts';
import { claimAnswer, claimRequest, replayedClaim, type ColumnClaim } from '../claim/request.ts';
import type { Column } from '../columns.ts';
import { withContext } from '../context/with-context.ts';
import type { Caller, Engine } from '../engine.ts';
import { isProblem } from '../errors.ts';
import { findRecord, recordAfterRefusal, type Repeatable, type Replayable } from '../idempotency.ts';
import { releaseLease } from './release-lease.ts';
import type { ClaimView } from '../views/claim.ts';
import { isoOrNull } from '../views/time.ts';

export interface ClaimsView {
  readonly claims: readonly ClaimView[];
  readonly reason: string | null;
  readonly next_available_at: string | null;
  readonly retry_after_seconds: number | null;
}

/** Answers what it could lease, perhaps fewer than asked for or than it has room for, and why none when none. */
export async function claimBatch(
  engine: Engine,
  caller: Caller,
  input: ColumnClaim,
  repeat: Repeatable | null,
): Promise<Replayable<ClaimsView>> {
  const told = async (lease: ClaimView) => withContext(engine, caller, input, lease);
  const request = await claimRequest(engine, caller, input, repeat);
  const claimed = await claim(engine, request);
  if (claimed.kind === 'repeated' && repeat !== null) {
    const claims = await replayedRows(engine, caller, request.column, repeat, request.want);
    return { value: answer(await Promise.all(claims.map(told))), created: false, replayed: true };
  }
  if (claimed.kind === 'leased') {
    const claims = await Promise.all(
      claimed.leases.map(async (lease) => told(await claimAnswer(engine, request.column, lease))),
    );
    const room = new AnswerRoom();
    const kept = claims.filter((lease) => room.takes(lease));
    const left = claims.filter((lease) => !kept.includes(lease));
    await Promise.all(left.map(async (lease) => giveBack(engine, caller, lease)));
    return { value: answer(kept), created: true, replayed: false };
  }
  const { reason, next } = claimed.kind === 'none' ? claimed : { reason: 'contended', next: null };
  const hint = engine.claims.of(request.column.column_id).hint(engine.deps.now(), next, engine.deps.random());
  const value = {
    claims: [],
    reason,
    next_available_at: isoOrNull(next ?? undefined),
    retry_after_seconds: hint,
  };
  return { value, created: false, replayed: false };
}

/** A lease that the answer has no room for: nobody would hear of it. Where this fails, its ttl ends it. */
async function giveBack(engine: Engine, caller: Caller, { lease_id, lease_token }: ClaimView): Promise<void> {
  const note = 'Its card was too large for what the batch answers';
  await releaseLease(engine, caller, { lease: lease_id, lease_token, note }).catch(() => undefined);
}

const answer = (claims: readonly ClaimView[]): ClaimsView => ({
  claims,
  reason: null,
  next_available_at: null,
  retry_after_seconds: null,
});

/** The rows that the first request recorded, those whose leases have ended left out; it takes no more. */
async function replayedRows(
  engine: Engine,
  caller: Caller,
  column: Column,
  repeat: Repeatable,
  want: number,
): Promise<ClaimView[]> {
  const first = await recordAfterRefusal(engine, caller, repeat, 0);
  const others = await Promise.all(
    Array.from({ length: want - 1 }, (_, at) => findRecord(engine, caller, repeat, at + 1)),
  );
  const rows = await Promise.all(
    [first, ...others.filter((record) => record !== undefined)].map(async (record) => {
      try {
        return await replayedClaim(engine, caller, column, record);
      } catch (error) {
        if (isProblem(error) && error.code === 'lease_lost') return null;
        throw error;
      }
    }),
  );
  return rows.filter((row) => row !== null);
}
