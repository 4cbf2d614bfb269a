/** Claim one card by name: the same as claim next, for a card that the caller already chose. */
import { failurePlace, endExpired } from '../claim/expire.ts';
import { completeParts, readParts } from '../claim/card-parts.ts';
import { mustFitContract, newGrant } from '../claim/grant.ts';
import { checkInput, inputErrors } from '../claim/input.ts';
import { isFor } from '../claim/pick.ts';
import { replayedClaim } from '../claim/request.ts';
import { handedOn, slotFor } from '../claim/adopt.ts';
import { capsOf } from '../claim/caps.ts';
import { schemaNumber, takeFree, takeHeld, takeOver, type Taken, type Taking } from '../claim/take.ts';
import { findColumn, mayKnow, mustBeOfOpenBoard, type Column } from '../columns.ts';
import { withContext } from '../context/with-context.ts';
import { agentName, SYSTEM, type Caller, type Engine } from '../engine.ts';
import { notFound, problem, type Problem } from '../errors.ts';
import {
  findRecord,
  recordAfterRefusal,
  recordWrite,
  type Repeatable,
  type Replayable,
} from '../idempotency.ts';
import { isId } from '../ids.ts';
import { note, readCard, readJob, writeChange } from '../jobs.ts';
import { attemptsLeft, deadLettered, leaseExpired } from '../model/hold.ts';
import { reservationOver } from '../model/reservation.ts';
import { effectiveState, waitsOn } from '../model/settle.ts';
import { CLAIM_JITTER_MS, CLAIM_TRIES } from '../policy.ts';
import type { ClaimCardBody } from '../schemas/claims.ts';
import type { Job } from '../store/items.ts';
import { endReservation } from '../timers/ring.ts';
import { claimView, type ClaimView } from '../views/claim.ts';
import { iso } from '../views/time.ts';

type Input = ClaimCardBody & { readonly card: string };

/**
 * Answers like claim next. Held by another: `lease_held` with the holder and when the lease ends, unless
 * `takeover` displaces it. Otherwise not to be had: `not_claimable` with the card's state.
 */
export async function claimCard(
  engine: Engine,
  caller: Caller,
  input: Input,
  repeat: Repeatable | null,
): Promise<Replayable<ClaimView>> {
  const { value, ...rest } = await claimNamed(engine, caller, input, repeat);
  return { value: await withContext(engine, caller, input, value), ...rest };
}

async function claimNamed(
  engine: Engine,
  caller: Caller,
  input: Input,
  repeat: Repeatable | null,
): Promise<Replayable<ClaimView>> {
  if (!isId('crd', input.card)) throw notFound('card', input.card);
  for (let attempt = 1; attempt <= CLAIM_TRIES; attempt += 1) {
    const [job, record] = await Promise.all([
      readJob(engine, input.card),
      repeat === null ? undefined : findRecord(engine, caller, repeat),
    ]);
    const column = job === undefined ? undefined : await findColumn(engine, job.column_id);
    if (
      job === undefined ||
      column === undefined ||
      job.state === 'deleted' ||
      !mayKnow(caller, job.board_id)
    ) {
      throw notFound('card', input.card);
    }
    mustBeOfOpenBoard(column);
    if (record !== undefined) return replay(engine, caller, column, record);
    const taken = await takeNamed(engine, caller, input, repeat, job, column);
    if (taken.kind === 'leased') return leased(engine, column, taken.job, job.run);
    if (taken.kind === 'repeated' && repeat !== null) {
      return replay(engine, caller, column, await recordAfterRefusal(engine, caller, repeat));
    }
    await engine.deps.sleep(engine.deps.random() * CLAIM_JITTER_MS * attempt);
  }
  throw problem('throttled', 'Other writers kept coming between. Nothing was changed; try again shortly.', {
    retry_after_seconds: 1,
  });
}

async function replay(
  engine: Engine,
  caller: Caller,
  column: Column,
  record: { card_id?: string | undefined; run?: number | undefined },
): Promise<Replayable<ClaimView>> {
  return { value: await replayedClaim(engine, caller, column, record), created: false, replayed: true };
}

async function leased(
  engine: Engine,
  column: Column,
  job: Job,
  lastRun: number,
): Promise<Replayable<ClaimView>> {
  const read = await readParts(engine, job.pk, lastRun);
  if (read === undefined) throw notFound('card', job.pk);
  const value = claimView(engine, column, await completeParts(engine, job, read));
  return { value, created: true, replayed: false };
}

/** One try at the card as it was read. */
async function takeNamed(
  engine: Engine,
  caller: Caller,
  input: Input,
  repeat: Repeatable | null,
  job: Job,
  column: Column,
): Promise<Taken> {
  mustFitContract(column, input.lease_ttl_seconds);
  const grant = newGrant(engine, caller, column, input.lease_ttl_seconds);
  const record =
    repeat === null
      ? null
      : (cardId: string, run: number) =>
          recordWrite(engine, caller, repeat, { board_id: job.board_id, card_id: cardId, run, status: 200 });
  const taking: Taking = { engine, column, grant, slot: null, record };
  if (job.state === 'leased' && !leaseExpired(job, grant.now)) {
    if (input.takeover !== true) throw heldBy(job);
    mustBeClaimable(caller, column, job, grant.now);
    return displace(taking, job, input.reason ?? '');
  }
  if (reservationOver(job, grant.now)) {
    await endReservation(engine, job);
    return { kind: 'lost' };
  }
  mustBeClaimable(caller, column, job, grant.now);
  if (!attemptsLeft(job, column.contract.max_attempts)) return exhausted(taking, job);
  if (job.state === 'leased') return takeExpired(taking, job);
  const schemaNo = schemaNumber(column);
  if (schemaNo !== undefined && job.input_no !== schemaNo) {
    await checkInput(engine, column, job);
    return { kind: 'lost' };
  }
  return takeFree(await withSlot(taking), job);
}

/** The last attempt is used up: dead-lettered here as it would be by the next claim, and refused. */
async function exhausted(taking: Taking, job: Job): Promise<Taken> {
  const { engine, column, grant } = taking;
  if (job.state === 'leased') await endExpired(engine, job, column);
  else {
    const after = deadLettered(job, await failurePlace(engine, column), grant.now);
    await writeChange(engine, {
      op: 'exhaust',
      before: job,
      after,
      events: [note('card.lease.deadlettered', SYSTEM, job)],
    });
  }
  return { kind: 'lost' };
}

/** Without a limit the expired lease is superseded; with one it is ended first, and a slot taken as ever. */
async function takeExpired(taking: Taking, job: Job): Promise<Taken> {
  if (capsOf(taking.column, taking.grant.agent).length === 0) return takeHeld(taking, job);
  await endExpired(taking.engine, job, taking.column);
  return { kind: 'lost' };
}

/** A takeover is a claim like any other but for the live lease that it ends. */
async function displace(taking: Taking, job: Job, reason: string): Promise<Taken> {
  const { engine, column, grant } = taking;
  const refuse = (why: string, waiting_on: string | null) =>
    problem('not_claimable', why, { state: 'leased', waiting_on });
  const waiting = waitsOn(job, grant.now);
  if (waiting !== null) {
    throw refuse(`The card is not to be offered: once free it waits on '${waiting}'.`, waiting);
  }
  if (!attemptsLeft(job, column.contract.max_attempts)) {
    throw refuse('The holder is on the last attempt; a takeover would exceed the bound.', null);
  }
  if (!(await fitsInput(taking, job))) {
    throw refuse("The card's properties no longer fit the input schema of the column.", 'input');
  }
  const slot = await handedOn(engine, column, job, grant.agent);
  if (slot === 'full') throw atLimit(column);
  return takeOver({ ...taking, slot }, job, 'takeover', { outcome: 'taken_over', by: grant.agent, reason });
}

/** True unless the schema has changed since the card passed it, and the card passes it no more. */
async function fitsInput({ engine, column }: Taking, job: Job): Promise<boolean> {
  const schemaNo = schemaNumber(column);
  if (schemaNo === undefined || job.input_no === schemaNo) return true;
  const read = await readCard(engine, job.pk);
  return read !== undefined && inputErrors(column, read.card.properties).length === 0;
}

function heldBy(job: Job): Problem {
  return problem(
    'lease_held',
    `The card is held by '${job.agent ?? ''}'. Wait until its lease ends, or claim another card; ` +
      'takeover: true with a reason displaces a holder that is known to be gone.',
    { holder: job.agent ?? '', expires_at: iso(job.expires_at ?? 0) },
  );
}

function mustBeClaimable(caller: Caller, column: Column, job: Job, now: number): void {
  const { state, waiting_on } = effectiveState(job, now);
  const refuse = (why: string) => problem('not_claimable', why, { state, waiting_on });
  if (!column.queue) throw refuse(`The card stands in '${column.item.name}', which is no queue.`);
  if (column.paused) throw refuse(`The column '${column.item.name}' is paused.`);
  if (state !== 'ready' && state !== 'leased') {
    throw refuse(`The card is '${state}'${waiting_on === null ? '' : ` on '${waiting_on}'`}.`);
  }
  const asker = {
    agent: caller.agent,
    name: agentName(caller),
    filter: {},
    excludePrevious: column.contract.exclude_previous_holder,
  };
  if (!isFor(job, asker)) {
    throw refuse(
      job.assignee !== undefined && job.assignee !== caller.agent
        ? `The card is assigned to '${job.assignee}'.`
        : 'Whoever worked on the card in the stage before may not claim it in this column.',
    );
  }
}

async function withSlot(taking: Taking): Promise<Taking> {
  const { engine, column } = taking;
  const slot = await slotFor(engine, column, taking.grant.agent);
  if (slot !== 'full') return { ...taking, slot };
  throw atLimit(column);
}

function atLimit({ item }: Column): Problem {
  return problem(
    'conflict',
    `The column '${item.name}', its board, or you in it are at the limit on leases. Wait until one ends.`,
  );
}
