/**
 * Taking one candidate: the conditional write that makes a lease. Whatever comes of it is a value: a refused
 * write explains itself by the item that refused it.
 */
import type { Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { leaseNote, note, parseJob, writeChange, jobWrite, type Change } from '../jobs.ts';
import type { Op } from '../lifecycle.ts';
import { abandonedBy, attemptsLeft, deadLettered, leaseExpired, lifeOver } from '../model/hold.ts';
import { waitsOn } from '../model/settle.ts';
import { closeRun } from '../runs.ts';
import { conditionOf } from '../store/conditions.ts';
import type { Job, Run } from '../store/items.ts';
import { jobKey, laneOf, order, shardOf, timedPos } from '../store/keys.ts';
import type { Item, Put, Update, Write } from '../store/params.ts';
import { endExpired, failurePlace, rearm } from './expire.ts';
import { SYSTEM } from '../engine.ts';
import { CLEARED_BY_CLAIM, deadline, granted, type Grant } from './grant.ts';
import type { Candidate } from './pick.ts';
import { slotsKept } from './caps.ts';
import type { FreeSlot } from './slots.ts';

export type Taken =
  /** Leased: JOB as it is now, and the run that the same write closed. */
  | { readonly kind: 'leased'; readonly job: Job; readonly closed?: Run }
  /** Another was quicker, or the entry was stale. */
  | { readonly kind: 'lost' }
  /** Not to be offered now, and put where it belongs. */
  | { readonly kind: 'set_aside' }
  /** The card's properties must be checked against the present input schema first. */
  | { readonly kind: 'check_input'; readonly job: Job }
  /** The slot went to another claim. */
  | { readonly kind: 'slot_lost' }
  /** The idempotency key's record is there already. */
  | { readonly kind: 'repeated' };

export interface Taking {
  readonly engine: Engine;
  readonly column: Column;
  readonly grant: Grant;
  /** Slot to take with the card, on a column with a limit. */
  readonly slot: FreeSlot | null;
  /** Record that makes this claim repeatable, where the caller gave a key. */
  readonly record: ((cardId: string, run: number) => Put) | null;
}

/** Number of the input schema that a card must have passed; undefined when the contract has none. */
export function schemaNumber(column: Column): number | undefined {
  return column.contract.input_schema === null ? undefined : column.item.schema_no;
}

/** Takes a ready or due card whose JOB was not read: one conditional update, all of it from the lane's entry. */
export async function takeEntry(taking: Taking, entry: Candidate): Promise<Taken> {
  const { engine, grant } = taking;
  const update = claimUpdate(taking, entry);
  const others = [
    ...(taking.slot?.writes(entry.pk) ?? []),
    ...(taking.record === null ? [] : [taking.record(entry.pk, entry.run + 1)]),
  ];
  if (others.length === 0) {
    const written = await engine.store.write(update);
    if (written.ok) return { kind: 'leased', job: parseJob(written.item, entry.pk) };
    return explain(taking, entry, written.old);
  }
  // A transaction answers no attributes: JOB is read beside it and, if read too early, brought up to date here.
  const [written, read] = await Promise.all([
    engine.store.transact([update, ...others]),
    engine.store.get(jobKey(entry.pk)),
  ]);
  if (!written.ok) return refusedPart(taking, entry, written.refused);
  const job = parseJob(read, entry.pk);
  if (job.run !== entry.run) return asGiven(job, entry, grant);
  const leased = granted(job, grant, taking.slot?.name);
  return { kind: 'leased', job: { ...leased, sequence: job.sequence + 1, updated_at: grant.now } };
}

function claimUpdate(taking: Taking, entry: Candidate): Update {
  const { column, grant, slot } = taking;
  const schemaNo = schemaNumber(column);
  const { expires_at, max_at } = deadline(entry.max_runtime_ms, grant);
  const tail = order(entry.at.priority, entry.at.rank);
  const op: Op = schemaNo === undefined ? 'claim' : 'claim_checked';
  return {
    kind: 'update',
    key: jobKey(entry.pk),
    set: {
      state: 'leased',
      lane: laneOf(column.column_id, 'T', shardOf(entry.pk, column.shards)),
      pos: timedPos(expires_at, 'h', tail),
      run: entry.run + 1,
      op,
      ev: [
        { type: 'card.lease.claimed', by: grant.by, from: { column_id: column.column_id, state: 'ready' } },
      ],
      nonce: grant.nonce,
      agent: grant.agent,
      claimed_at: grant.now,
      expires_at,
      ttl_ms: grant.ttl_ms,
      tail,
      since_at: grant.now,
      updated_at: grant.now,
      ...(max_at === undefined ? {} : { max_at }),
      ...(slot === null ? {} : { slot: slot.name }),
    },
    add: { attempt: 1, sequence: 1 },
    copy: { comments_at_claim: { from: 'comments', default: 0 } },
    remove: [
      ...CLEARED_BY_CLAIM,
      ...(max_at === undefined ? ['max_at'] : []),
      ...(slot === null ? ['slot'] : []),
    ],
    condition: conditionOf(op, {
      lane: entry.lane,
      pos: entry.pos,
      run: entry.run,
      assignee: entry.assignee ?? null,
      max_runtime_ms: entry.max_runtime_ms ?? null,
      max_attempts: column.contract.max_attempts,
      ...(schemaNo === undefined ? {} : { input_no: schemaNo }),
    }),
  };
}

/**
 * The lease as it was just given, by JOB as it is since. The read, or a repeated write, may come so late that the lease
 * has ended again: then it is lost before it was answered, for JOB no longer has what its token is made of.
 */
function asGiven(job: Job, entry: Candidate, grant: Grant): Taken {
  const holds = job.state === 'leased' && job.run === entry.run + 1 && job.nonce === grant.nonce;
  return holds ? { kind: 'leased', job } : { kind: 'lost' };
}

type Refused = ({ old: Item | undefined } | null)[];

async function refusedPart(taking: Taking, entry: Candidate, refused: Refused): Promise<Taken> {
  const [job, ...others] = refused;
  const record = taking.record !== null && (others.at(-1) ?? null) !== null;
  if (record) return { kind: 'repeated' };
  if (job !== null && job !== undefined) return explain(taking, entry, job.old);
  return { kind: 'slot_lost' };
}

/** Why JOB refused: it is our own write whose answer was lost, or it says what became of the card. */
async function explain(taking: Taking, entry: Candidate, old: Item | undefined): Promise<Taken> {
  if (old === undefined) return { kind: 'lost' };
  const job = parseJob(old, entry.pk);
  if (job.run !== entry.run) return asGiven(job, entry, taking.grant);
  if (job.lane !== entry.lane || job.pos !== entry.pos) return { kind: 'lost' };
  if (!attemptsLeft(job, taking.column.contract.max_attempts)) {
    await exhaust(taking, job);
    return { kind: 'set_aside' };
  }
  const schemaNo = schemaNumber(taking.column);
  if (schemaNo !== undefined && job.input_no !== schemaNo) return { kind: 'check_input', job };
  return { kind: 'lost' };
}

/** A card that waits with its attempts used up, since the bound was lowered under it: dead at the next claim. */
async function exhaust(taking: Taking, job: Job): Promise<void> {
  const { engine, column } = taking;
  const after = deadLettered(job, await failurePlace(engine, column), engine.deps.now());
  const events = [note('card.lease.deadlettered', SYSTEM, job)];
  await writeChange(engine, { op: 'exhaust', before: job, after, events });
}

/**
 * Takes a card whose alarm has rung and whose JOB was read: supersedes an expired lease, or sets an early alarm
 * right, or dead-letters the card when that lease was its last attempt.
 */
export async function takeHeld(taking: Taking, job: Job): Promise<Taken> {
  const { engine, column, grant } = taking;
  if (job.state !== 'leased') return { kind: 'lost' };
  if (!leaseExpired(job, grant.now)) {
    await rearm(engine, job);
    return { kind: 'set_aside' };
  }
  // Put on hold, or scheduled, while it was held, or its input never met the present schema: back to wait.
  const schemaNo = schemaNumber(column);
  const unchecked = schemaNo !== undefined && job.input_no !== schemaNo;
  if (unchecked || !attemptsLeft(job, column.contract.max_attempts) || waitsOn(job, grant.now) !== null) {
    const ended = await endExpired(engine, job, column);
    return { kind: ended ? 'set_aside' : 'lost' };
  }
  const outcome = lifeOver(job, grant.now) ? 'timed_out' : 'expired';
  return takeOver(taking, job, 'supersede', { outcome, by: SYSTEM.id });
}

/** Displaces a hold: its run closes, a new one begins, and the slot it had goes on under the new one. */
export async function takeOver(
  taking: Taking,
  job: Job,
  op: 'supersede' | 'takeover',
  closing: { outcome: 'expired' | 'timed_out' | 'taken_over'; by: string; reason?: string },
): Promise<Taken> {
  const { grant } = taking;
  const slot = taking.slot?.name ?? slotsKept(job, grant.agent);
  const after = granted({ ...job, ...abandonedBy(job, grant.now) }, grant, slot);
  const reason = closing.reason === undefined ? {} : { reason: closing.reason };
  const change: Change = {
    op,
    before: job,
    after,
    events: [
      note(`card.lease.${closing.outcome}`, op === 'takeover' ? grant.by : SYSTEM, job, {
        ...leaseNote(job),
        ...reason,
      }),
      note('card.lease.claimed', grant.by, job, leaseNote(after)),
    ],
  };
  const closed = closeRun(
    job,
    { verb: op, error: reason.reason ?? 'The lease expired without a heartbeat', ...closing },
    grant.now,
  );
  const taken = await writeTaking(taking, change, [closed.write], after);
  return taken.kind === 'leased' ? { ...taken, closed: closed.run } : taken;
}

/** Takes a free card whose JOB was read (a claim by name). */
export async function takeFree(taking: Taking, job: Job): Promise<Taken> {
  const { grant, slot } = taking;
  const after = granted(job, grant, slot?.name);
  const events = [note('card.lease.claimed', grant.by, job, leaseNote(after))];
  return writeTaking(taking, { op: 'claim_named', before: job, after, events }, [], after);
}

async function writeTaking(taking: Taking, change: Change, also: Write[], after: Job): Promise<Taken> {
  const { engine, slot, record } = taking;
  const cardId = change.before.pk;
  const parts = [
    ...also,
    ...(slot?.writes(cardId) ?? []),
    ...(record === null ? [] : [record(cardId, after.run)]),
  ];
  if (parts.length === 0) {
    const outcome = await writeChange(engine, change);
    return outcome.done ? { kind: 'leased', job: outcome.job } : { kind: 'lost' };
  }
  const job = jobWrite(change, engine.deps.secret(6), taking.grant.now);
  const written = await engine.store.transact([job.write, ...parts]);
  if (written.ok) return { kind: 'leased', job: job.after };
  const refused = written.refused.map((part) => part !== null);
  if (record !== null && refused.at(-1) === true) return { kind: 'repeated' };
  return refused[0] === true ? { kind: 'lost' } : { kind: 'slot_lost' };
}
