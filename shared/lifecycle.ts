/**
 * The state machine, one table. A row is one kind of write of JOB: the states it starts from, the clauses that
 * its condition is made of, and the outcome with which it closes the run. Conditions are built from the rows
 * (store/conditions.ts), refusals are explained from them, and the README's diagram is drawn from them.
 */
import type { RunOutcome } from './model/states.ts';
import type { Job } from './store/items.ts';

/**
 * Clauses of a condition.
 * - `sequence`: no transition since the item was read, nor a write that makes no event.
 * - `holder`: the token's run and nonce are the card's current ones.
 * - `deadline`: `run` and `expires_at` as read. A renewal moves `expires_at` alone, so without it a reaper
 *   that read earlier would undo a renewal in flight.
 * - `entry`: lane, position, run, assignee and runtime cap as the index showed them.
 * - `lane`: the lane as the index showed it.
 * - `attempts`: attempts are left, by the card's own bound or the contract's.
 * - `input`: the card's properties passed the input schema now in force.
 * - `leased`: the card is held.
 * - `slots`: the lease holds the slots that it was read with.
 * - `longer`: the new deadline is no earlier than the present one.
 * - `staged`: the card is still out of its lane, made by this graph.
 */
export type Clause =
  | 'absent'
  | 'sequence'
  | 'holder'
  | 'deadline'
  | 'entry'
  | 'lane'
  | 'attempts'
  | 'input'
  | 'leased'
  | 'slots'
  | 'longer'
  | 'staged';

type From = readonly Job['state'][];

interface Transition {
  readonly from: From;
  readonly guard: readonly Clause[];
  /** Outcome of the run that this write closes. */
  readonly closes?: RunOutcome;
  /** No transition: advances no sequence, makes no event, and the stream's filter drops it. */
  readonly silent?: true;
}

const HELD: From = ['leased'];
/** A late holder's card, unless somebody ended the hold since, is held or back in its queue. */
const HELD_OR_LATE: From = ['leased', 'ready', 'waiting'];
const UNHELD: From = ['idle', 'waiting', 'ready', 'blocked', 'done', 'dead'];
const ANY: From = [...UNHELD, 'leased', 'archived'];

export const LIFECYCLE = {
  create: { from: [], guard: ['absent'] },

  claim: { from: ['ready', 'waiting'], guard: ['entry', 'attempts'] },
  claim_checked: { from: ['ready', 'waiting'], guard: ['entry', 'attempts', 'input'] },
  claim_named: { from: ['ready', 'waiting'], guard: ['sequence'] },
  supersede: { from: HELD, guard: ['sequence', 'deadline'], closes: 'expired' },
  takeover: { from: HELD, guard: ['sequence'], closes: 'taken_over' },
  resume: { from: ['ready', 'waiting'], guard: ['sequence', 'holder'] },

  renew: { from: HELD, guard: ['leased', 'holder', 'longer'], silent: true },
  rearm: { from: HELD, guard: ['leased', 'deadline'], silent: true },
  adopt: { from: HELD, guard: ['leased', 'deadline', 'slots'], silent: true },
  reshard: { from: ['ready', 'waiting', 'leased'], guard: ['lane'], silent: true },
  reslot: { from: HELD, guard: ['leased', 'deadline', 'slots'], silent: true },

  complete: { from: HELD_OR_LATE, guard: ['sequence', 'holder'], closes: 'completed' },
  fail: { from: HELD_OR_LATE, guard: ['sequence', 'holder'], closes: 'failed' },
  release: { from: HELD_OR_LATE, guard: ['sequence', 'holder'], closes: 'released' },
  block: { from: HELD_OR_LATE, guard: ['sequence', 'holder'], closes: 'blocked' },
  request_review: { from: HELD_OR_LATE, guard: ['sequence', 'holder'], closes: 'review_requested' },
  request_changes: { from: HELD_OR_LATE, guard: ['sequence', 'holder'], closes: 'changes_requested' },

  expire: { from: HELD, guard: ['sequence', 'deadline'], closes: 'expired' },
  time_out: { from: HELD, guard: ['sequence', 'deadline'], closes: 'timed_out' },
  exhaust: { from: ['ready', 'waiting'], guard: ['sequence'] },
  promote: { from: ['waiting', 'ready'], guard: ['sequence'] },
  wake: { from: ANY, guard: ['sequence'] },
  link: { from: ANY, guard: ['sequence'] },
  link_held: { from: HELD, guard: ['sequence', 'holder', 'longer'] },
  unlink: { from: ANY, guard: ['sequence'] },
  touch: { from: ANY, guard: ['sequence'], silent: true },
  touch_held: { from: HELD, guard: ['leased', 'holder'], silent: true },
  stage: { from: [], guard: ['absent'], silent: true },
  unstage: { from: ANY, guard: ['staged'] },
  decompose: { from: ['idle', 'waiting', 'ready', 'blocked'], guard: ['sequence'] },
  decompose_held: { from: HELD, guard: ['sequence', 'holder', 'longer'] },
  check_input: { from: ['ready', 'waiting'], guard: ['sequence'] },
  redrive: { from: ['dead'], guard: ['sequence'] },

  edit: { from: ANY, guard: ['sequence'] },
  edit_held: { from: HELD, guard: ['sequence', 'holder', 'longer'] },
  comment: { from: ANY, guard: ['sequence'] },
  comment_held: { from: HELD, guard: ['sequence', 'holder', 'longer'] },
  attach: { from: ANY, guard: ['sequence'] },
  attach_held: { from: HELD, guard: ['sequence', 'holder', 'longer'] },
  respace: { from: ANY, guard: ['sequence'], silent: true },
  hold: { from: ANY, guard: ['sequence'] },
  move: { from: [...UNHELD], guard: ['sequence'] },
  archive: { from: [...UNHELD], guard: ['sequence'] },
  unarchive: { from: ['archived'], guard: ['sequence'] },
  delete: { from: [...UNHELD, 'archived'], guard: ['sequence'] },
  reopen: { from: ['done'], guard: ['sequence'] },
  reclaim: { from: HELD, guard: ['sequence'], closes: 'reclaimed' },
  request_cancel: { from: HELD, guard: ['sequence'] },
  block_card: { from: ['idle', 'waiting', 'ready'], guard: ['sequence'], closes: 'blocked' },
  block_held: { from: HELD, guard: ['sequence'], closes: 'blocked' },
  unblock: { from: ['blocked'], guard: ['sequence'] },
  complete_card: {
    from: ['idle', 'waiting', 'ready', 'blocked', 'dead'],
    guard: ['sequence'],
    closes: 'completed',
  },
  promote_card: { from: ['idle', 'waiting', 'ready', 'blocked'], guard: ['sequence'] },
  reopen_review: { from: ['idle', 'waiting', 'ready'], guard: ['sequence'], closes: 'changes_requested' },
  end_reservation: { from: ANY, guard: ['sequence'] },
} as const satisfies Record<string, Transition>;

export type Op = keyof typeof LIFECYCLE;

export function transition(op: Op): Transition {
  return LIFECYCLE[op];
}

/** Writes that are no transition. Everything that follows the table's stream leaves them out. */
export const SILENT_OPS: readonly Op[] = (Object.keys(LIFECYCLE) as Op[]).filter(
  (op) => transition(op).silent === true,
);

/** True when a card in `state` may undergo `op`. */
export function allows(op: Op, state: Job['state']): boolean {
  return transition(op).from.includes(state);
}
