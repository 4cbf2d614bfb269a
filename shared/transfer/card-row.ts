/** A card as its export's row. Of its lease it tells the holder: no nonce, no token, nothing that opens anything. */
import type { WholeCard } from '../cards/read.ts';
import type { CardRow } from '../schemas/transfer.ts';
import type { Job } from '../store/items.ts';
import { iso } from '../views/time.ts';

export function cardRow({ job, card, body }: WholeCard): CardRow {
  const { agent } = job;
  return {
    type: 'card',
    id: job.pk,
    board_id: job.board_id,
    column_id: job.column_id,
    key: card.key,
    // A tombstone has no CARD, and was passed by.
    state: job.state === 'deleted' ? 'archived' : job.state,
    title: card.title,
    ...(body === '' ? {} : { body }),
    ...(Object.keys(card.properties).length === 0 ? {} : { properties: card.properties }),
    model: card.model,
    dedupe_key: card.dedupe_key,
    container_id: card.container_id,
    workflow_template_id: card.workflow_template_id,
    current_step_key: card.current_step_key,
    ...factsOf(job),
    lease: job.state === 'leased' && agent !== undefined ? { agent, attempt: job.attempt } : undefined,
    block: blockOf(job, card.block_reason),
    abandoned_by: job.abandoned && { ...job.abandoned, at: iso(job.abandoned.at) },
    history: historyOf(job),
    traceparent: card.traceparent,
    created_by: card.created_by,
    created_at: iso(card.created_at),
  };
}

function factsOf(job: Job) {
  return {
    priority: job.priority,
    assignee: job.assignee,
    tenant: job.tenant,
    labels: job.labels,
    skills: job.skills,
    scheduled_at: time(job.scheduled_at),
    max_attempts: job.max_attempts,
    max_runtime_seconds: job.max_runtime_ms === undefined ? undefined : job.max_runtime_ms / 1_000,
    draft: job.draft,
    hold: job.hold,
    container: job.container,
    attempt: job.attempt,
    fence: job.run,
    rev: job.rev,
  };
}

function historyOf(job: Job): CardRow['history'] {
  return {
    sequence: job.sequence,
    rank: job.rank,
    since: iso(job.since_at),
    refunds: job.refunds,
    not_before: time(job.not_before),
    ready_at: time(job.ready_at),
    reserved_until: time(job.reserved_until),
    parents_open: job.parents_open,
    subs_done: job.subs_done,
    decomposed: job.decomposed,
    died_in: job.died_in,
    archived_from: job.archived_from,
    from_column_id: job.from_column_id,
    prev_agent: job.prev_agent,
    prev_unnamed: job.prev_unnamed,
    blocks: job.blocks,
    done_run: job.done_run,
    comments: job.comments,
    attachments: job.attachments,
  };
}

const time = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : iso(ms));

function blockOf({ block }: Job, whole: string | undefined): CardRow['block'] {
  if (block === undefined) return undefined;
  const { kind, by, from } = block;
  const reason = block.long === true ? (whole ?? block.reason) : block.reason;
  return { kind, reason, by, at: iso(block.at), from_column_id: from };
}
