/**
 * Lease tokens at work: who shows the card's current one may write as its holder, and nobody else. Closing
 * verbs share one path here: check the token, let the verb decide, write JOB and RUN together, tidy the slot.
 */
import { findColumn, isLeaving, mayKnow, type Column } from './columns.ts';
import type { Caller, Engine } from './engine.ts';
import { notFound } from './errors.ts';
import { isHolder } from './holder.ts';
import { parseDerived } from './ids.ts';
import { decideUntilWritten, mustAllow, readCardWithBody, type Decision } from './jobs.ts';
import { readLeaseToken, type LeaseClaims } from './lease-token.ts';
import type { Op } from './lifecycle.ts';
import { closingEffects, NO_EFFECTS } from './links/effects.ts';
import { firstChildren } from './links/wake.ts';
import { lostLease } from './lost.ts';
import { closeLateRun, closeRun, readRun, type Closing } from './runs.ts';
import { tidySlots } from './claim/slots.ts';
import type { Card, EventNote, Job, Run } from './store/items.ts';
import type { Write } from './store/params.ts';
import { cardView, runView, type CardView, type RunView } from './views/card.ts';

export interface LeaseInput {
  readonly lease: string;
  readonly lease_token: string;
}

/** The claims of a genuine token for this lease. Any other string is a lost lease, any other id not found. */
export async function claimsFor(engine: Engine, caller: Caller, input: LeaseInput): Promise<LeaseClaims> {
  const named = parseDerived('lse', input.lease);
  if (named === null) throw notFound('lease', input.lease);
  const claims = readLeaseToken(engine.leaseKeys, input.lease_token);
  if (claims === null || claims.card_id !== named.cardId || claims.run !== named.run) {
    throw await lostLease(engine, caller, named.cardId, named.run);
  }
  if (!mayKnow(caller, claims.board_id)) throw notFound('lease', input.lease);
  return claims;
}

/** What a closing verb decides on. */
export interface Hold {
  readonly engine: Engine;
  readonly job: Job;
  readonly card: Card;
  readonly column: Column;
  readonly claims: LeaseClaims;
  readonly agent: string;
  readonly now: number;
}

/** What it decides: the card as the verb leaves it, how the run closes, and what else is written with it. */
export interface Ending {
  readonly after: Job;
  readonly closing: Omit<Closing, 'verb' | 'by'>;
  readonly events: readonly EventNote[];
  readonly also?: readonly Write[];
  readonly cardAfter?: Card;
}

export interface Closed {
  readonly card: CardView;
  readonly run: RunView;
  readonly job: Job;
  readonly stored: Run;
}

/**
 * Ends a lease by one of its own verbs. Repeated with the same token it answers the run as it closed and the
 * card as it is now; with a token that is not the current one it is refused and changes nothing.
 */
export async function closeLease(
  engine: Engine,
  caller: Caller,
  input: LeaseInput,
  op: Op,
  decide: (hold: Hold) => Ending | Promise<Ending>,
): Promise<Closed> {
  const claims = await claimsFor(engine, caller, input);
  let ended: Job | null = null;
  let effects = NO_EFFECTS;
  const closed = await decideUntilWritten(engine, async (): Promise<Decision<Closed>> => {
    const now = engine.deps.now();
    const [read, children, claimedFrom] = await Promise.all([
      readCardWithBody(engine, claims.card_id),
      op === 'complete' ? firstChildren(engine, claims.card_id) : undefined,
      // Remembered for the look-up below: the card mostly still stands where it was claimed.
      findColumn(engine, claims.column_id),
    ]);
    if (claimedFrom !== undefined && isLeaving(claimedFrom)) throw notFound('lease', input.lease);
    if (read === undefined || !isHolder(read.job, claims, now)) {
      return { answer: await repeated(engine, caller, claims, op, read) };
    }
    const { job, card, body } = read;
    const late = job.state === 'leased' ? undefined : await readRun(engine, job.pk, job.run);
    const column = await findColumn(engine, job.column_id);
    if (column === undefined) throw notFound('column', job.column_id);
    mustAllow(op, job);
    const agent = job.agent ?? late?.agent ?? '';
    const ending = await decide({ engine, job, card, column, claims, agent, now });
    const closing: Closing = { ...ending.closing, verb: op, by: agent };
    const { write, run } =
      late === undefined ? closeRun(job, closing, now) : closeLateRun(late, closing, now);
    ended = job;
    effects = await closingEffects(engine, { before: job, after: ending.after, children });
    return {
      change: {
        op,
        before: job,
        after: ending.after,
        events: ending.events,
        pins: { nonce: claims.nonce },
      },
      also: [write, ...(ending.also ?? []), ...effects.also],
      result: (after) => answer({ job: after, card: ending.cardAfter ?? card, body }, run, now),
    };
  });
  await tidy(engine, ended);
  for (const follow of effects.afterwards) await follow();
  return closed;
}

function answer(parts: { job: Job; card: Card; body: string }, run: Run, now: number): Closed {
  const doneRun = parts.job.done_run === run.number ? run : undefined;
  return { card: cardView({ ...parts, doneRun }, now), run: runView(run), job: parts.job, stored: run };
}

/** A closing verb repeated with its token: the same answer. Any other is a lost lease. */
async function repeated(
  engine: Engine,
  caller: Caller,
  claims: LeaseClaims,
  op: Op,
  read: { job: Job; card: Card; body: string } | undefined,
): Promise<Closed> {
  const run = await readRun(engine, claims.card_id, claims.run);
  if (read === undefined || run === undefined || run.nonce !== claims.nonce || run.verb !== op) {
    throw await lostLease(engine, caller, claims.card_id, claims.run);
  }
  return answer(read, run, engine.deps.now());
}

/** Deleting the slot's item is tidying: the slot was freed by JOB's write, and whoever meets it finds it dead. */
async function tidy(engine: Engine, ended: Job | null): Promise<void> {
  if (ended?.slot === undefined) return;
  try {
    await tidySlots(engine, ended);
  } catch {
    // The card is done and the slot is free all the same.
  }
}
