/** A card as the API shows it: what a claim would see at `now`, never a nonce or a token. */
import { leaseId } from '../ids.ts';
import { leaseExpired } from '../model/hold.ts';
import { assigneeAt, reservationOver } from '../model/reservation.ts';
import type { LinkCounts } from '../links/counts.ts';
import { effectiveState, eligibleAt } from '../model/settle.ts';
import type { Card, Job, Run } from '../store/items.ts';
import { iso, isoOrNull } from './time.ts';

export function leaseView(job: Job, now: number) {
  const { agent, claimed_at, expires_at } = job;
  if (job.state !== 'leased' || agent === undefined) return null;
  return {
    id: leaseId(job.pk, job.run),
    card_id: job.pk,
    agent,
    attempt: job.attempt,
    claimed_at: isoOrNull(claimed_at),
    expires_at: isoOrNull(expires_at),
    expired: leaseExpired(job, now),
    heartbeat_at: isoOrNull(job.beat_at),
    progress: job.progress ?? null,
    note: job.note ?? null,
  };
}

export interface CardParts {
  readonly job: Job;
  readonly card: Card;
  /** Present when the text was read; lists leave it out. */
  readonly body?: string | undefined;
  /** Run whose output and summary the card shows; and the abandoned run with its checkpoint. */
  readonly doneRun?: Run | undefined;
  readonly abandonedRun?: Run | undefined;
  /** Counted when one card is read; lists tell of links what JOB says. */
  readonly links?: LinkCounts | undefined;
}

/** What lists and events carry: the card without body, properties and output. */
export function cardSummary({ job, card, abandonedRun, links }: CardParts, now: number) {
  const { state, waiting_on } = effectiveState(job, now);
  return {
    id: job.pk,
    key: card.key,
    board_id: job.board_id,
    column_id: job.column_id,
    title: card.title,
    state,
    waiting_on,
    waiting_detail: waitingDetail(job, card, waiting_on, links),
    block: blockView(job),
    priority: job.priority,
    assignee: assigneeAt(job, now) ?? null,
    reserved_until: reservationOver(job, now) ? null : isoOrNull(job.reserved_until),
    tenant: job.tenant ?? null,
    labels: job.labels ?? [],
    skills: job.skills ?? [],
    model: card.model === undefined ? null : { name: card.model.name, provider: card.model.provider ?? null },
    scheduled_at: isoOrNull(job.scheduled_at),
    dedupe_key: card.dedupe_key ?? null,
    max_attempts: job.max_attempts ?? null,
    max_runtime_seconds: job.max_runtime_ms === undefined ? null : job.max_runtime_ms / 1_000,
    attempt: job.attempt,
    fence: job.run,
    draft: job.draft === true,
    hold: job.hold === true,
    container: job.container === true,
    container_id: card.container_id ?? null,
    abandoned_by: abandonedView(job, abandonedRun),
    lease: leaseView(job, now),
    cancel_requested: cancelView(job),
    counts: {
      comments: job.comments ?? 0,
      attachments: job.attachments ?? 0,
      parents_open: links === undefined ? Number(job.parents_open === true) : openCount(links),
      children: links?.children ?? job.children ?? 0,
      runs: job.run,
    },
    workflow_template_id: card.workflow_template_id ?? null,
    current_step_key: card.current_step_key ?? null,
    created_by: card.created_by,
    created_at: iso(card.created_at),
    updated_at: iso(job.updated_at),
    rev: job.rev,
  };
}
export type CardSummary = ReturnType<typeof cardSummary>;

/** The whole card. */
export function cardView(parts: CardParts, now: number) {
  const { body, ...summary } = { body: parts.body ?? parts.card.body ?? '', ...cardSummary(parts, now) };
  const { job, card } = parts;
  return {
    ...summary,
    block: blockView(job, card.block_reason),
    cancel_requested: cancelView(job, card.cancel_reason),
    body,
    properties: card.properties,
    output: parts.doneRun?.output ?? null,
    summary: parts.doneRun?.summary ?? null,
    traceparent: card.traceparent ?? null,
  };
}
export type CardView = ReturnType<typeof cardView>;

const openCount = ({ openParents, openSubs }: LinkCounts): number => openParents.length + openSubs.length;

/** Of a card that waits on its parents or sub-cards: those that are open, where one card is read. */
function waitingDetail(
  job: Job,
  card: Card,
  waitingOn: string | null,
  links: LinkCounts | undefined,
): unknown {
  if (waitingOn === 'parents') return links?.openParents ?? null;
  if (waitingOn === 'container') return links?.openSubs ?? null;
  if (waitingOn === 'input') return card.input_errors ?? [];
  if (waitingOn === 'schedule' || waitingOn === 'backoff') return iso(eligibleAt(job));
  return null;
}

/** A request to stop; a long reason is shown whole where CARD was read. */
export function cancelView({ state, cancel }: Job, whole?: string) {
  if (cancel === undefined || state !== 'leased') return null;
  const reason = cancel.long ? (whole ?? cancel.reason) : cancel.reason;
  return { by: cancel.by, reason, at: iso(cancel.at) };
}

/** Why a card is blocked; a long reason is shown whole where CARD was read for it. */
function blockView({ block }: Job, whole?: string) {
  if (block === undefined) return null;
  const reason = block.long ? (whole ?? block.reason) : block.reason;
  return { kind: block.kind, reason, by: block.by, at: iso(block.at) };
}

function abandonedView(job: Job, run: Run | undefined) {
  if (job.abandoned === undefined) return null;
  const { agent, attempt, at } = job.abandoned;
  return { agent, attempt, at: iso(at), checkpoint: run?.checkpoint ?? null };
}

/** A run as the API shows it. */
export function runView(run: Run) {
  return {
    id: `run_${run.pk.slice('crd_'.length)}_${run.number}`,
    card_id: run.pk,
    column_id: run.column_id ?? null,
    number: run.number,
    attempt: run.attempt ?? 0,
    agent: run.agent ?? null,
    outcome: run.outcome ?? null,
    summary: run.summary ?? null,
    metadata: run.metadata ?? null,
    output: run.output ?? null,
    error: run.error ?? null,
    checkpoint: run.checkpoint ?? null,
    refunded: run.refunded === true,
    late: run.late === true,
    ended_by: run.by ?? null,
    started_at: isoOrNull(run.started_at),
    ended_at: isoOrNull(run.ended_at),
  };
}
export type RunView = ReturnType<typeof runView>;

/** The open run, read from JOB: a run's own item is written when it ends. */
export function openRunView(job: Job, checkpoint: string | undefined): RunView {
  const run: Run = {
    pk: job.pk,
    sk: '',
    v: job.v,
    board_id: job.board_id,
    column_id: job.column_id,
    number: job.run,
    attempt: job.attempt,
    ...(job.agent === undefined ? {} : { agent: job.agent }),
    ...(job.claimed_at === undefined ? {} : { started_at: job.claimed_at }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
  return runView(run);
}
