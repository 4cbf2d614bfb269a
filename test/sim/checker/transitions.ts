/**
 * Every write of a card by itself: an edge of the state table, with counters, times and place as the table of states
 * calls for. A clause or an attribute that is missing from a write shows here first.
 */
import { LIFECYCLE, transition, type Op } from '../../../shared/lifecycle.ts';
import { eligibleAt, lanePosition } from '../../../shared/model/settle.ts';
import type { Job } from '../../../shared/store/items.ts';
import { laneOf, parsePosition, shardIn } from '../../../shared/store/keys.ts';
import { itemBytes } from '../../bench/support/item-bytes.ts';
import type { Recording } from '../recording.ts';
import { isClaimOp, jobChanges, type JobChange } from './job-log.ts';
import type { Violation } from './violation.ts';

/** Two writes of one card this close may bear one time: clocks are off by up to 200 ms each way. */
const SAME_MOMENT_MS = 500;

/** What a person does to a card that nobody holds is a run of its own, so that it has a place in the history. */
const PERSONS_RUNS: ReadonlySet<Op> = new Set<Op>(['block_card', 'complete_card', 'reopen_review']);

/** Of the worst card that the API accepts. */
const HOT_BYTES_MAX = 3_072;

type Fault = readonly [rule: string, what: string];
/** One write: the card before and after, and what it says it was. */
interface Step {
  readonly before: Job;
  readonly after: Job;
  readonly op: Op;
  /** Since the write before, in ms. */
  readonly pause: number;
  /** By how much two instances' clocks may differ, in ms. */
  readonly apart: number;
}

export function checkTransitions(recording: Recording): Violation[] {
  const last = new Map<string, number>();
  const apart = 2 * recording.configuration.skewMs;
  return jobChanges(recording).flatMap((change) => {
    const pause = change.at - (last.get(change.cardId) ?? change.at);
    last.set(change.cardId, change.at);
    return faultsOf(change, pause, apart).map(([rule, what]) => ({
      rule,
      at: change.at,
      what: `${change.cardId} ${change.after?.op ?? 'removed'} (change ${change.number}): ${what}`,
    }));
  });
}

function faultsOf(change: JobChange, pause: number, apart: number): Fault[] {
  const { before, after } = change;
  if (after === undefined) {
    const mayGo = before?.state === 'deleted' || before?.staged !== undefined;
    return mayGo ? [] : [['S7', 'the card is gone']];
  }
  const bytes = itemBytes(after);
  if (bytes > HOT_BYTES_MAX) return [['S15', `the hot item has ${bytes} bytes`]];
  if (before === undefined) return [...born(after), ...placed(after), ...sound(after)];
  const op = before.staged !== undefined && after.staged === undefined ? 'unstage' : after.op;
  if (!isOp(op)) return [['S14', `'${op}' is no transition`]];
  const step: Step = { before, after, op, pause, apart };
  return [
    ...edge(step),
    ...counted(step),
    ...timed(step),
    ...held(step),
    ...(isClaimOp(op) ? claimed(step) : unclaimed(step)),
    ...resharded(step),
    ...placed(after),
    ...sound(after),
  ];
}

const isOp = (op: string): op is Op => op in LIFECYCLE;

function born(after: Job): Fault[] {
  const faults: Fault[] = [];
  if (after.op !== 'create' && after.op !== 'stage') faults.push(['S14', 'made by no create']);
  if (after.run !== 0 || after.attempt !== 0) faults.push(['S10', 'born with attempts']);
  if (after.staged === undefined && after.sequence !== after.ev.length) {
    faults.push(['S14', `born with sequence ${after.sequence}`]);
  }
  return faults;
}

function edge({ before, after, op, pause }: Step): Fault[] {
  const faults: Fault[] = [];
  if (!transition(op).from.includes(before.state)) faults.push(['S14', `from '${before.state}'`]);
  const [first] = after.ev;
  const silent = transition(op).silent === true;
  const from = first?.from;
  const isSame = from?.column_id === before.column_id && from.state === before.state;
  const dueNow = isClaimOp(op) && from?.state === 'ready' && before.state === 'waiting';
  if (!silent && from !== undefined && !isSame && !dueNow && op !== 'unstage') {
    faults.push(['S14', `its event says it came from ${from.state} in ${from.column_id}`]);
  }
  if (
    !silent &&
    op !== 'unstage' &&
    pause > SAME_MOMENT_MS &&
    after.op_id === before.op_id &&
    after.op_id !== undefined
  ) {
    faults.push(['S14', 'the write has the name of the one before']);
  }
  return faults;
}

function counted({ before, after, op }: Step): Fault[] {
  if (op === 'unstage')
    return after.sequence === 1 ? [] : [['S14', `sequence ${after.sequence} at its start`]];
  if (transition(op).silent === true) {
    const same =
      after.sequence === before.sequence &&
      after.state === before.state &&
      after.column_id === before.column_id;
    return same ? [] : [['S14', 'a silent write moved the card']];
  }
  const due = before.sequence + after.ev.length;
  if (after.sequence === due) return [];
  return [['S14', `sequence ${after.sequence} after ${before.sequence} with ${after.ev.length} events`]];
}

function timed({ before, after, op, pause }: Step): Fault[] {
  if (transition(op).silent === true || pause <= SAME_MOMENT_MS) return [];
  const faults: Fault[] = [];
  if (after.updated_at === before.updated_at) faults.push(['S14', 'updated_at stood still']);
  if (after.state !== before.state && after.since_at === before.since_at)
    faults.push(['S14', 'since_at stood still']);
  return faults;
}

/** Moved to another shard: in another lane of the same kind, and otherwise as it was. */
function resharded({ before, after, op }: Step): Fault[] {
  if (op !== 'reshard') return [];
  const faults: Fault[] = [];
  if (after.lane === before.lane) faults.push(['S12', 're-sharded, and still where it was']);
  const rest = (job: Job): string => JSON.stringify({ ...job, lane: null, op: null });
  if (rest(after) !== rest(before)) faults.push(['S14', 'a re-sharded card is another']);
  return faults;
}

/** A hold that goes on is the same hold. */
function held({ before, after, op }: Step): Fault[] {
  if (before.state !== 'leased' || after.state !== 'leased' || before.run !== after.run) return [];
  const faults: Fault[] = [];
  for (const name of ['nonce', 'agent', 'claimed_at', 'ttl_ms', 'max_at', 'tail'] as const) {
    if (before[name] !== after[name]) faults.push(['S3', `${name} changed under a hold`]);
  }
  if ((after.expires_at ?? 0) < (before.expires_at ?? 0)) faults.push(['S1', 'the deadline moved back']);
  if (op === 'renew' && after.beat_at === before.beat_at && after.expires_at !== before.expires_at) {
    faults.push(['S14', 'a heartbeat left no trace']);
  }
  return faults;
}

function claimed({ before, after, op, apart }: Step): Fault[] {
  const faults: Fault[] = [];
  const at = after.claimed_at ?? 0;
  const must = (holds: boolean, rule: string, what: string) => {
    if (!holds) faults.push([rule, what]);
  };
  must(after.state === 'leased', 'S14', 'a claim that leaves no lease');
  must(after.run === before.run + 1, 'S4', `fence ${after.run} after ${before.run}`);
  must(after.attempt === before.attempt + 1, 'S10', `attempt ${after.attempt} after ${before.attempt}`);
  must(after.nonce !== undefined && after.nonce !== before.nonce, 'S4', 'the hold has no name of its own');
  const end = Math.min(at + (after.ttl_ms ?? 0), after.max_at ?? Number.MAX_SAFE_INTEGER);
  must(after.expires_at === end, 'S1', 'the deadline is not that of the claim');
  must(after.since_at === at, 'S14', 'since_at is not the claim');
  must(after.comments_at_claim === (before.comments ?? 0), 'S14', 'comments_at_claim is wrong');
  // Whoever found a card ready had a clock of its own; one that still waits goes by the claimer's alone.
  const early = eligibleAt(before) - at;
  must(early <= (before.state === 'ready' ? apart : 0), 'S11', `offered ${early} ms too early`);
  must(before.draft !== true && before.hold !== true, 'S11', 'a draft or a card on hold was offered');
  must(before.parents_open !== true, 'S11', 'offered with an open parent');
  must(before.input_bad !== true, 'S11', 'offered with bad input');
  must(before.container !== true || before.subs_done === true, 'S11', 'a container was offered too early');
  const reserved = before.reserved_until !== undefined && before.reserved_until <= at;
  must(
    before.assignee === undefined || before.assignee === after.agent || reserved,
    'S16',
    "another's card was given",
  );
  if (op === 'supersede') must((before.expires_at ?? 0) <= at, 'S1', 'a live lease was superseded');
  if (op === 'claim_named' || op === 'claim')
    must(before.state !== 'leased', 'S1', 'a held card was claimed');
  return faults;
}

function unclaimed({ before, after, op }: Step): Fault[] {
  const faults: Fault[] = [];
  const mayCount = after.run === before.run || (PERSONS_RUNS.has(op) && after.run === before.run + 1);
  if (!mayCount) faults.push(['S4', `run ${after.run} after ${before.run} by no claim`]);
  if (after.attempt > before.attempt) faults.push(['S10', 'the attempts rose at no claim']);
  if (after.nonce !== undefined && after.nonce !== before.nonce)
    faults.push(['S4', 'a token came from nowhere']);
  const ended = op === 'expire' || op === 'time_out';
  if (ended && (before.expires_at ?? 0) > after.updated_at)
    faults.push(['S1', 'a live lease was ended as expired']);
  if (before.state === 'leased' && after.state !== 'leased' && op === 'renew')
    faults.push(['S1', 'renewed away']);
  return faults;
}

/** The place in its lane that its state calls for; a held card's alarm may be early, never late. */
function placed(after: Job): Fault[] {
  if (after.state === 'deleted' || after.staged !== undefined) {
    return after.lane === undefined ? [] : [['S12', 'in a lane, though it does not exist']];
  }
  if (after.state !== 'leased') {
    const { lane, pos } = lanePosition(after);
    return after.lane === lane && after.pos === pos
      ? []
      : [['S12', `stands at ${after.lane} ${after.pos}, not ${pos}`]];
  }
  if (after.lane !== laneOf(after.column_id, 'T', shardIn(after.lane)))
    return [['S12', `held, and in ${after.lane}`]];
  const at = parsePosition(after.lane, after.pos ?? '');
  if (at?.lane !== 'T' || at.kind !== 'h') return [['S12', `held, and at ${after.pos}`]];
  return at.due <= (after.expires_at ?? 0) ? [] : [['S12', 'its alarm rings too late']];
}

/** Facts that a state must have, and those that it cannot. */
function sound(after: Job): Fault[] {
  const faults: Fault[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(['S7', `'${after.state}' ${what}`]);
  };
  const lease = [after.agent, after.claimed_at, after.expires_at, after.ttl_ms];
  const isHeld = after.state === 'leased';
  must(
    lease.every((fact) => (fact !== undefined) === isHeld),
    isHeld ? 'without a holder' : 'with a holder',
  );
  if (isHeld) must(after.nonce !== undefined && after.tail !== undefined, 'without a token');
  must((after.waiting_on !== undefined) === (after.state === 'waiting'), `waits on ${after.waiting_on}`);
  if (after.state === 'waiting')
    must(flagOf(after) === after.waiting_on || flagOf(after) === null, 'on the wrong thing');
  if (after.state === 'ready') must(flagOf(after) === null, `though it waits on ${flagOf(after)}`);
  if (after.state === 'blocked') must(after.block !== undefined, 'without a reason');
  if (after.state === 'dead') must(after.died_in !== undefined, 'and nobody knows where');
  return faults;
}

/** What keeps a card waiting whatever the time is. */
function flagOf(job: Job): string | null {
  if (job.draft) return 'draft';
  if (job.hold) return 'hold';
  if (job.container && !job.subs_done) return 'container';
  if (job.parents_open) return 'parents';
  return job.input_bad ? 'input' : null;
}

/** Attempts never exceed the bound of the card or of the column that it is claimed in. */
export function checkAttempts(
  recording: Recording,
  boundOf: (columnId: string) => number | null,
): Violation[] {
  return jobChanges(recording).flatMap(({ after, before, at, cardId }) => {
    if (after === undefined || before === undefined || !isClaimOp(after.op)) return [];
    const bound = before.max_attempts ?? boundOf(after.column_id);
    if (bound === null || after.attempt <= bound) return [];
    return [{ rule: 'S10', at, what: `${cardId} was given for attempt ${after.attempt} of ${bound}` }];
  });
}
