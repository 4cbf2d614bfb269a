/**
 * Stopping a card: where it goes and as what, by its worker's word or a person's. The rule is told by the kind
 * and by what is counted, never by the prose of a reason.
 */
import { hasOpenParents } from '../cards/parents.ts';
import { checkedInput } from '../cards/stand.ts';
import { columnsOf, type Board, type Column } from '../columns.ts';
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { EventType } from '../events/types.ts';
import { entering, refundable, refunded } from '../model/hold.ts';
import { inLane, settle } from '../model/settle.ts';
import type { ColumnRole } from '../model/states.ts';
import { LIMITS } from '../policy.ts';
import type { BlockKind } from '../schemas/blocks.ts';
import type { Card, Job } from '../store/items.ts';
import { cut } from '../text.ts';

/** A card about to be blocked, in nobody's hands any more; `job` is not settled. */
export interface Stopping {
  readonly engine: Engine;
  readonly board: Board;
  /** Where it stands. */
  readonly column: Column;
  readonly job: Job;
  readonly card: Card;
  readonly kind: BlockKind | null;
  readonly reason: string;
  readonly by: string;
  readonly now: number;
}

export interface Stopped {
  readonly job: Job;
  readonly card: Card;
  readonly events: readonly EventType[];
}

/**
 * Blocked in the board's first column for it, or in place. The same kind again, `block_recurrence_limit` times
 * over, goes to triage instead: somebody keeps unblocking what nobody has mended. A dependency is no block: the
 * card waits on its open parents, and without one it is refused, since nothing would ever wake it.
 */
export async function stopped(stopping: Stopping): Promise<Stopped> {
  if (stopping.kind === 'dependency') return waitingOnParents(stopping);
  const { engine, board, column, job, kind } = stopping;
  const name = kind ?? 'none';
  const before = job.blocks?.[name] ?? 0;
  const counted = { ...stopping, job: { ...job, blocks: { ...job.blocks, [name]: before + 1 } } };
  if (before < column.contract.block_recurrence_limit) return blocked(counted, 'card.blocked');
  const triage = await firstOfRole(engine, board, 'triage');
  // Without a triage to go to it is blocked as ever, and the event says what it has come to.
  if (triage === undefined || triage.column_id === column.column_id) {
    return blocked(counted, 'card.blocked', 'card.block_loop_detected');
  }
  return inTriage(counted, triage);
}

/** The board's first column with a role. */
export async function firstOfRole(
  engine: Engine,
  board: Board,
  role: ColumnRole,
): Promise<Column | undefined> {
  return (await columnsOf(engine, board)).find((column) => column.role === role);
}

async function blocked(stopping: Stopping, ...events: EventType[]): Promise<Stopped> {
  const { engine, board, column, job, now } = stopping;
  const { waiting_on: _waiting, not_before: _before, cancel: _cancel, ...rest } = job;
  const target = (await firstOfRole(engine, board, 'blocked')) ?? column;
  const from = target.column_id === column.column_id ? {} : { from: column.column_id };
  const { block, card } = blockNote(stopping);
  const after: Job = {
    ...rest,
    state: 'blocked',
    column_id: target.column_id,
    since_at: now,
    block: { ...block, ...from },
  };
  return { job: inLane(after), card, events };
}

/** For a person to decide; the card still shows what it was blocked for. */
function inTriage(stopping: Stopping, triage: Column): Stopped {
  const { engine, column, job, now } = stopping;
  const { block, card } = blockNote(stopping);
  const checked = checkedInput({ ...job, from_column_id: column.column_id }, card, triage);
  const entered = entering(checked.job, triage, now, () => engine.deps.random());
  return { job: { ...entered, block }, card: checked.card, events: ['card.block_loop_detected'] };
}

/** JOB must stay small: of a long reason it has the beginning, and CARD the whole. */
function blockNote({ card, kind, reason, by, now }: Stopping): {
  block: NonNullable<Job['block']>;
  card: Card;
} {
  const { block_reason: _former, ...content } = card;
  const shown = cut(reason, LIMITS.reasonShownBytes);
  const block = { kind: kind === 'dependency' ? null : kind, reason: shown, by, at: now };
  if (shown === reason) return { block, card: content };
  return { block: { ...block, long: true }, card: { ...content, block_reason: reason } };
}

async function waitingOnParents({ engine, column, job, card, now }: Stopping): Promise<Stopped> {
  if (!(await hasOpenParents(engine, job))) {
    throw problem(
      'conflict',
      'The card has no open parent, so nothing would ever wake it. Link the card that it needs as a parent ' +
        'first, or block it with another kind.',
    );
  }
  const spared = job.attempt > 0 && refundable(job) ? refunded(job) : job;
  return {
    job: settle({ ...spared, parents_open: true }, column, now),
    card,
    events: ['card.dependency_wait'],
  };
}
