/** Renew, the heartbeat: one write from the token alone. Silent: no event, no revision. */
import { findColumn, isLeaving, type Column } from '../columns.ts';
import { notFound } from '../errors.ts';
import type { Caller, Engine } from '../engine.ts';
import type { LeaseClaims } from '../lease-token.ts';
import { claimsFor, type LeaseInput } from '../lease.ts';
import { isHolder } from '../holder.ts';
import { leaseId } from '../ids.ts';
import { lostLease } from '../lost.ts';
import { parseJob } from '../jobs.ts';
import { ALARM_GRID, WRAP_UP_SHARE } from '../policy.ts';
import { mustFitContract } from '../claim/grant.ts';
import { resumeLease } from '../claim/resume.ts';
import type { RenewBody } from '../schemas/leases.ts';
import { conditionOf, expression } from '../store/conditions.ts';
import { CardSchema, LAYOUT_VERSION, type Job } from '../store/items.ts';
import { cardKey, jobKey, runKey, timedPos } from '../store/keys.ts';
import type { Update } from '../store/params.ts';
import { renewAfterSeconds } from '../views/claim.ts';
import { cancelView } from '../views/card.ts';
import { iso, isoOrNull } from '../views/time.ts';
import { SECOND_MS } from '../units.ts';

/**
 * Pushes the deadline to now + ttl, never past the lease's permitted life and never back. Answers the deadline
 * and the signals that a busy worker hears no other way. A lease past its time whose card nobody took since is
 * taken back.
 */
export async function renewLease(engine: Engine, caller: Caller, input: RenewBody & LeaseInput) {
  const claims = await claimsFor(engine, caller, input);
  const now = engine.deps.now();
  if (claims.max_at !== null && claims.max_at <= now) throw await lost(engine, caller, claims);
  if (input.lease_ttl_seconds !== undefined) await mustFit(engine, claims, input.lease_ttl_seconds);
  const [column, job] = await Promise.all([
    findColumn(engine, claims.column_id),
    beat(engine, caller, claims, input, now),
  ]);
  if (column !== undefined && isLeaving(column)) throw notFound('lease', input.lease);
  if (input.checkpoint !== undefined) await writeCheckpoint(engine, caller, claims, job, input.checkpoint);
  return renewal(job, claims, column, now, await longReason(engine, job));
}

/** A ttl of its own is bounded as at the claim. */
async function mustFit(engine: Engine, claims: LeaseClaims, ttlSeconds: number): Promise<void> {
  const column = await findColumn(engine, claims.column_id);
  if (column !== undefined) mustFitContract(column, ttlSeconds);
}

/** The whole reason of a request to stop: a long one is kept apart, and read only while there is one. */
async function longReason(engine: Engine, job: Job): Promise<string | undefined> {
  if (job.cancel?.long !== true) return undefined;
  const card = await engine.store.get(cardKey(job.pk));
  return card === undefined ? undefined : CardSchema.parse(card).cancel_reason;
}

const lost = (engine: Engine, caller: Caller, claims: LeaseClaims) =>
  lostLease(engine, caller, claims.card_id, claims.run);

async function beat(
  engine: Engine,
  caller: Caller,
  claims: LeaseClaims,
  input: RenewBody,
  now: number,
): Promise<Job> {
  const written = await engine.store.write(renewUpdate(claims, input, now));
  if (written.ok) return parseJob(written.item, claims.card_id);
  if (written.old === undefined) throw await lost(engine, caller, claims);
  const old = parseJob(written.old, claims.card_id);
  if (!isHolder(old, claims, now)) throw await lost(engine, caller, claims);
  // Overtaken by a longer renewal of the same lease, which stands; or expired, and nobody took the card since.
  if (old.state === 'leased') return old;
  const resumed = await resumeLease(engine, claims, now);
  if (resumed === null) throw await lost(engine, caller, claims);
  return resumed;
}

/**
 * The heartbeat's write. Whether the indexed alarm is near cannot be known without a read, so it is computed
 * from the token: the deadline rounded down to a grid counted from the claim. Set every time, billed only when
 * it changes, never late.
 */
function renewUpdate(claims: LeaseClaims, input: RenewBody, now: number): Update {
  const ttl = input.lease_ttl_seconds === undefined ? claims.ttl_ms : input.lease_ttl_seconds * SECOND_MS;
  const expires_at = Math.min(now + ttl, claims.max_at ?? Number.MAX_SAFE_INTEGER);
  const grid = ALARM_GRID * claims.ttl_ms;
  const alarm = claims.claimed_at + Math.floor((expires_at - claims.claimed_at) / grid) * grid;
  return {
    kind: 'update',
    key: jobKey(claims.card_id),
    set: {
      expires_at,
      pos: timedPos(alarm, 'h', claims.tail),
      beat_at: now,
      op: 'renew',
      ...(input.note === undefined ? {} : { note: input.note }),
      ...(input.progress === undefined ? {} : { progress: input.progress }),
    },
    remove: [],
    condition: conditionOf('renew', { run: claims.run, nonce: claims.nonce, expires_at }),
  };
}

/** The hand-off note that survives the lease; refused once the run has an outcome. */
async function writeCheckpoint(
  engine: Engine,
  caller: Caller,
  claims: LeaseClaims,
  job: Job,
  checkpoint: string,
): Promise<void> {
  const written = await engine.store.write({
    kind: 'update',
    key: runKey(claims.card_id, claims.run),
    set: { v: LAYOUT_VERSION, board_id: job.board_id, number: claims.run, checkpoint },
    remove: [],
    condition: expression('attribute_not_exists(#outcome)', {}),
  });
  if (!written.ok) throw await lost(engine, caller, claims);
}

function renewal(
  job: Job,
  claims: LeaseClaims,
  column: Column | undefined,
  now: number,
  reason: string | undefined,
) {
  const life = claims.max_at === null ? null : claims.max_at - claims.claimed_at;
  const wrapUp = life !== null && now >= claims.claimed_at + WRAP_UP_SHARE * life;
  return {
    lease_id: leaseId(claims.card_id, claims.run),
    expires_at: iso(job.expires_at ?? now),
    renew_after_seconds: renewAfterSeconds(job),
    server_time: iso(now),
    max_runtime_at: isoOrNull(claims.max_at ?? undefined),
    signals: {
      cancel_requested: cancelView(job, reason),
      comments_since: (job.comments ?? 0) - (job.comments_at_claim ?? 0),
      card_rev: job.rev,
      paused: column?.paused === true,
      wrap_up: wrapUp,
    },
  };
}
