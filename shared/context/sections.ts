/** The sections of a context, each within its bounds. */
import { CONTEXT } from '../policy.ts';
import type { RunOutcome } from '../model/states.ts';
import type { CommentItem, Run } from '../store/items.ts';
import type { HandedOver, HandOff } from '../links/hand-offs.ts';
import { iso, isoOrNull } from '../views/time.ts';
import type { Cuts } from './bounded.ts';
import type { Sources } from './sources.ts';

export function sectionsOf(sources: Sources, cuts: Cuts) {
  const { job, card, body, attachments } = sources;
  return {
    card: {
      id: job.pk,
      key: card.key,
      title: card.title,
      body: cuts.text('body', body, CONTEXT.bodyBytes),
    },
    abandoned_by: abandonedBy(sources),
    parents: parentsOf(sources.handedOver, cuts),
    attempts: attemptsOf(sources, cuts),
    comments: commentsOf(sources, cuts),
    attachments: cuts.newest(
      'attachments',
      attachments.toReversed(),
      attachments.length,
      CONTEXT.attachmentsBytes,
    ),
  };
}
export type Sections = ReturnType<typeof sectionsOf>;

/** Who gave up, and what it handed over on its way: a checkpoint is small enough to be shown whole. */
function abandonedBy({ job, abandoned }: Sources) {
  if (job.abandoned === undefined) return null;
  const { agent, attempt, at } = job.abandoned;
  return { agent, attempt, at: iso(at), checkpoint: abandoned?.checkpoint ?? null };
}

function parentsOf({ shown, total }: HandedOver, cuts: Cuts): HandOff[] {
  const bounded = shown.map((parent) => ({
    ...parent,
    summary: cuts.textOrNull(`summary of ${parent.key}`, parent.summary, CONTEXT.handOffBytes),
    metadata: cuts.json(`metadata of ${parent.key}`, parent.metadata, CONTEXT.handOffBytes),
  }));
  return cuts.newest('parents', bounded.toReversed(), total, CONTEXT.parentsBytes);
}

interface Attempt {
  readonly number: number;
  readonly agent: string | null;
  readonly outcome: RunOutcome;
  readonly summary: string | null;
  readonly error: string | null;
  readonly metadata: unknown;
  readonly ended_at: string | null;
}

function attemptsOf({ job, runs }: Sources, cuts: Cuts): Attempt[] {
  const ended = job.state === 'leased' ? job.run - 1 : job.run;
  const shown = runs.flatMap((run) => attemptOf(run, cuts));
  return cuts.newest('attempts', shown, ended, CONTEXT.attemptsBytes);
}

function attemptOf(run: Run, cuts: Cuts): Attempt[] {
  if (run.outcome === undefined) return [];
  const of = `of attempt ${run.number}`;
  return [
    {
      number: run.number,
      agent: run.agent ?? null,
      outcome: run.outcome,
      summary: cuts.textOrNull(`summary ${of}`, run.summary, CONTEXT.fieldBytes),
      error: cuts.textOrNull(`error ${of}`, run.error, CONTEXT.fieldBytes),
      metadata: cuts.json(`metadata ${of}`, run.metadata, CONTEXT.fieldBytes),
      ended_at: isoOrNull(run.ended_at),
    },
  ];
}

function commentsOf({ job, comments }: Sources, cuts: Cuts) {
  const shown = comments.map((comment) => commentOf(comment, cuts));
  return cuts.newest('comments', shown, Math.max(job.comments ?? 0, shown.length), CONTEXT.commentsBytes);
}

function commentOf({ id, by, body, created_at }: CommentItem, cuts: Cuts) {
  return {
    author: by.id,
    body: cuts.text(`comment ${id}`, body, CONTEXT.commentBytes),
    created_at: iso(created_at),
  };
}
