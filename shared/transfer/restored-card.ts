/**
 * A card as its row makes it, pure. It stands where and as it stood; one that was held comes back as if its worker
 * had released it at that moment: ready, the attempt given back, with the worker's last checkpoint.
 */
import { withBody } from '../cards/content.ts';
import { withContent, withFacts } from '../cards/edit.ts';
import type { WholeCard } from '../cards/read.ts';
import { checkedInput } from '../cards/stand.ts';
import type { Column } from '../columns.ts';
import { note } from '../jobs.ts';
import { refundable, refunded } from '../model/hold.ts';
import { inLane, settle } from '../model/settle.ts';
import { DEFAULT_PRIORITY } from '../model/states.ts';
import { LIMITS } from '../policy.ts';
import type { CardRow } from '../schemas/transfer.ts';
import { LAYOUT_VERSION, type Actor, type Card, type Job } from '../store/items.ts';
import { cardKey, createdKey, jobKey } from '../store/keys.ts';
import { cut } from '../text.ts';

export interface Restoring {
  readonly id: string;
  readonly key: string;
  readonly containerId: string | undefined;
  readonly column: Column;
  /** What a column of the row is called here; undefined when it is not here. */
  readonly columnOf: (id: string | undefined) => string | undefined;
  readonly by: Actor;
  /** ms */
  readonly now: number;
}

export function restoredCard(row: CardRow, to: Restoring): WholeCard {
  const body = row.body ?? '';
  const { job, card } = checkedInput(
    restoredJob(row, to),
    withBody(restoredContent(row, to), body),
    to.column,
  );
  return { job: standing(job, row, to), card, body };
}

function restoredJob(row: CardRow, to: Restoring): Job {
  const { history, abandoned_by: left } = row;
  const bare: Job = {
    ...jobKey(to.id),
    v: LAYOUT_VERSION,
    board_id: to.column.board_id,
    column_id: to.column.column_id,
    state: 'idle',
    priority: DEFAULT_PRIORITY,
    rank: history.rank,
    run: row.fence,
    attempt: row.attempt,
    rev: row.rev,
    // The events before it are of the board that it comes from.
    sequence: history.sequence + 1,
    op: 'create',
    ev: [],
    since_at: to.now,
    updated_at: to.now,
  };
  const facts = withFacts(bare, { ...row, container_id: undefined });
  const job: Job = {
    ...facts,
    ...historyOf(row, to),
    ...(left === undefined ? {} : { abandoned: { ...left, at: Date.parse(left.at) } }),
  };
  if (job.container !== true) delete job.subs_done;
  const reason = `imported, was ${row.key}`;
  const { from: _from, ...created } = note('card.created', to.by, job, { reason });
  return { ...job, ev: [created] };
}

function historyOf({ history, block }: CardRow, { columnOf }: Restoring): Partial<Job> {
  const { refunds, parents_open, subs_done, decomposed, archived_from, prev_agent, prev_unnamed } = history;
  const { blocks, done_run, comments, attachments } = history;
  return stated({
    refunds,
    not_before: time(history.not_before),
    reserved_until: time(history.reserved_until),
    parents_open,
    subs_done,
    decomposed,
    died_in: columnOf(history.died_in),
    archived_from,
    from_column_id: columnOf(history.from_column_id),
    prev_agent,
    prev_unnamed,
    blocks,
    done_run,
    comments,
    attachments,
    block: block && shownBlock(block, columnOf(block.from_column_id)),
  });
}

/** JOB has the beginning of a long reason, and CARD the whole. */
function shownBlock({ kind, reason, by, at }: NonNullable<CardRow['block']>, from: string | undefined) {
  const shown = cut(reason, LIMITS.reasonShownBytes);
  const long = shown === reason ? {} : { long: true as const };
  return { kind, reason: shown, by, at: Date.parse(at), ...(from === undefined ? {} : { from }), ...long };
}

function restoredContent(row: CardRow, to: Restoring): Card {
  const { block, properties = {} } = row;
  const created_at = Date.parse(row.created_at);
  const isLong = block !== undefined && cut(block.reason, LIMITS.reasonShownBytes) !== block.reason;
  const bare: Card = {
    ...cardKey(to.id),
    v: LAYOUT_VERSION,
    board_id: to.column.board_id,
    board: to.column.board_id,
    created: createdKey(created_at),
    key: to.key,
    title: row.title,
    properties,
    created_by: row.created_by,
    created_at,
    ...(typeof row.dedupe_key === 'string' ? { dedupe_key: row.dedupe_key } : {}),
    ...(isLong ? { block_reason: block.reason } : {}),
    ...(row.traceparent === undefined ? {} : { traceparent: row.traceparent }),
  };
  const { model, workflow_template_id, current_step_key } = row;
  return withContent(bare, { model, workflow_template_id, current_step_key, container_id: to.containerId });
}

/** In the state that it had, where somebody brought it there; else where its facts put it now. */
function standing(job: Job, row: CardRow, { column, now }: Restoring): Job {
  const since_at = Date.parse(row.history.since);
  const { state } = row;
  if (state === 'blocked' || state === 'dead' || state === 'archived')
    return inLane({ ...job, state, since_at });
  if (state === 'done' && column.role !== 'done') return inLane({ ...job, state, since_at });
  const settled = settle(state === 'leased' ? returned(job, row, now) : job, column, now);
  const stayed = settled.state === state || (settled.state === 'done' && state === 'idle');
  return inLane({ ...settled, ...agedSince(settled, row), ...(stayed ? { since_at } : {}) });
}

function returned(job: Job, { lease, fence: run }: CardRow, at: number): Job {
  const free = refundable(job) && job.attempt > 0 ? refunded(job) : job;
  if (lease === undefined) return free;
  return { ...free, abandoned: { agent: lease.agent, attempt: lease.attempt, at, run } };
}

/** In a column whose cards age it has waited since then already. */
function agedSince({ ready_at }: Job, { history }: CardRow): Pick<Job, 'ready_at'> {
  const before = time(history.ready_at);
  return ready_at === undefined || before === undefined ? {} : { ready_at: Math.min(ready_at, before) };
}

const time = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

/** Without what has no value: the table takes no undefined. */
function stated<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}
