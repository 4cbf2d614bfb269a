/** Claim one card by name: the same as claim next, for a card that the caller already chose. */
import { failurePlace, endExpired } from '../claim/expire.ts';
import { completeParts, readParts } from '../claim/card-parts.ts';
import { newGrant } from '../claim/grant.ts';
import { checkInput } from '../claim/input.ts';
import { isFor } from '../claim/pick.ts';
import { replayedClaim } from '../claim/request.ts';
import { readSlots } from '../claim/slots.ts';
import { slotFor } from '../claim/adopt.ts';
import { schemaNumber, takeFree, takeHeld, takeOver, type Taken, type Taking } from '../claim/take.ts';
import { findColumn, mayKnow, mustBeOfOpenBoard, type Column } from '../columns.ts';
import { withContext } from '../context/with-context.ts';
import { agentName, SYSTEM, type Caller, type Engine } from '../engine.ts';
import { notFound, problem } from '../errors.ts';
import {
  findRecord,
  recordAfterRefusal,
  recordWrite,
  type Repeatable,
  type Replayable,
} from '../idempotency.ts';
import { isId } from '../ids.ts';
import { note, readJob, writeChange } from '../jobs.ts';
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
  const grant = newGrant(engine, caller, column, input.lease_ttl_seconds);
  const record =
    repeat === null
      ? null
      : (cardId: string, run: number) =>
          recordWrite(engine, caller, repeat, { board_id: job.board_id, card_id: cardId, run, status: 200 });
  const taking: Taking = { engine, column, grant, slot: null, record };
  if (job.state === 'leased' && !leaseExpired(job, grant.now)) {
    return displace(taking, job, input);
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
  if (taking.column.contract.concurrency_limit === null) return takeHeld(taking, job);
  await endExpired(taking.engine, job, taking.column);
  return { kind: 'lost' };
}

async function displace(taking: Taking, job: Job, input: Input): Promise<Taken> {
  if (input.takeover === true) {
    const waiting_on = waitsOn(job, taking.grant.now);
    if (waiting_on !== null) {
      throw problem(
        'not_claimable',
        `The card is not to be offered: once free it waits on '${waiting_on}'.`,
        {
          state: 'leased',
          waiting_on,
        },
      );
    }
    if (!attemptsLeft(job, taking.column.contract.max_attempts)) {
      throw problem(
        'not_claimable',
        'The holder is on the last attempt; a takeover would exceed the bound.',
        {
          state: 'leased',
          waiting_on: null,
        },
      );
    }
    const by = taking.grant.agent;
    return takeOver(taking, job, 'takeover', { outcome: 'taken_over', by, reason: input.reason ?? '' });
  }
  throw problem(
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
  const limit = column.contract.concurrency_limit;
  if (limit === null) return taking;
  const slot = await slotFor(engine, column, limit, await readSlots(engine, column.column_id));
  if (slot !== null) return { ...taking, slot };
  throw problem('conflict', `The column '${column.item.name}' is at its concurrency limit of ${limit}.`);
}
