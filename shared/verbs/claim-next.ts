/** Claim next: atomically lease the best eligible card of a column, or say why there is none. */
import { claim, type ClaimRequest, type Claimed } from '../claim/claim.ts';
import { claimAnswer, claimRequest, replayedClaim, type ColumnClaim } from '../claim/request.ts';
import { withContext } from '../context/with-context.ts';
import type { Caller, Engine } from '../engine.ts';
import { recordAfterRefusal, type Repeatable, type Replayable } from '../idempotency.ts';
import { WAIT_FIRST_MS, WAIT_GROWTH, WAIT_STEP_MS } from '../policy.ts';
import type { ClaimView } from '../views/claim.ts';
import { isoOrNull } from '../views/time.ts';

export interface NothingView {
  readonly card: null;
  readonly lease_id: null;
  readonly lease_token: null;
  readonly reason: string;
  readonly next_available_at: string | null;
  readonly retry_after_seconds: number;
}

/**
 * Answers the lease, its token and the whole card; or `card: null` with the reason and when to ask again, which
 * is no error. With `wait_seconds` it looks again until then, as long as this installation permits.
 */
export async function claimNext(
  engine: Engine,
  caller: Caller,
  input: ColumnClaim & { wait_seconds?: number | undefined },
  repeat: Repeatable | null,
  signal?: AbortSignal,
): Promise<Replayable<ClaimView | NothingView>> {
  const ask = async () => claimRequest(engine, caller, input, repeat);
  const { request, claimed } = await claimWithin(engine, ask, (input.wait_seconds ?? 0) * 1_000, signal);
  if (claimed.kind === 'none') {
    return { value: nothing(engine, request, claimed), created: false, replayed: false };
  }
  const [lease] = claimed.kind === 'leased' ? claimed.leases : [];
  if (lease !== undefined) {
    const value = await claimAnswer(engine, request.column, lease);
    return { value: await withContext(engine, caller, input, value), created: true, replayed: false };
  }
  if (repeat === null) throw new Error('A claim without a key cannot be a repetition');
  const record = await recordAfterRefusal(engine, caller, repeat, 0);
  const value = await replayedClaim(engine, caller, request.column, record);
  return { value: await withContext(engine, caller, input, value), created: false, replayed: true };
}

/**
 * Claims, looking again with growing pauses until something is there or the wait is over. Asked anew each time: a
 * contract or a pause that comes meanwhile is in force for those who wait as for all others.
 */
async function claimWithin(
  engine: Engine,
  ask: () => Promise<ClaimRequest>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<{ request: ClaimRequest; claimed: Claimed }> {
  const until = engine.deps.now() + Math.min(waitMs, engine.maxWaitMs);
  let pause = WAIT_FIRST_MS;
  let request = await ask();
  let claimed = await claim(engine, request);
  while (claimed.kind === 'none' && signal?.aborted !== true) {
    const left = until - engine.deps.now();
    if (left <= 0) break;
    await engine.deps.sleep(Math.min(pause, left), signal);
    pause = Math.min(WAIT_STEP_MS, pause * WAIT_GROWTH);
    request = await ask();
    claimed = await claim(engine, request);
  }
  return { request, claimed };
}

function nothing(
  engine: Engine,
  request: ClaimRequest,
  { reason, next }: Extract<Claimed, { kind: 'none' }>,
): NothingView {
  const memory = engine.claims.of(request.column.column_id);
  return {
    card: null,
    lease_id: null,
    lease_token: null,
    reason,
    next_available_at: isoOrNull(next ?? undefined),
    retry_after_seconds: memory.hint(engine.deps.now(), next, engine.deps.random()),
  };
}
