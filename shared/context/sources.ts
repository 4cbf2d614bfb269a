/**
 * What a card's context is made of, read side by side. The newest come first where there may be many; what this
 * version cannot read is passed by, since a claim that asked for its context has its lease by now.
 */
import { attachmentBriefs, type AttachmentBrief } from '../attachments/brief.ts';
import type { Engine } from '../engine.ts';
import { handOffs, type HandedOver } from '../links/hand-offs.ts';
import { CONTEXT } from '../policy.ts';
import { readRun } from '../runs.ts';
import { CommentSchema, RunSchema, type Card, type CommentItem, type Job, type Run } from '../store/items.ts';
import { COMMENT_PREFIX, RUN_PREFIX } from '../store/keys.ts';

export interface Sources {
  readonly job: Job;
  readonly card: Card;
  readonly body: string;
  /** Attempts that have ended, newest first; at most as many as are shown. */
  readonly runs: readonly Run[];
  readonly comments: readonly CommentItem[];
  readonly handedOver: HandedOver;
  readonly attachments: readonly AttachmentBrief[];
  /** The attempt that its worker abandoned, with its checkpoint. */
  readonly abandoned: Run | undefined;
}

export async function readSources(
  engine: Engine,
  { job, card, body }: Pick<Sources, 'job' | 'card' | 'body'>,
): Promise<Sources> {
  const [runs, comments, parents, attachments, abandoned] = await Promise.all([
    endedRuns(engine, job),
    newestComments(engine, job),
    handOffs(engine, job),
    attachmentBriefs(engine, job),
    job.abandoned === undefined ? undefined : readRun(engine, job.pk, job.abandoned.run),
  ]);
  return { job, card, body, runs, comments, handedOver: parents, attachments, abandoned };
}

/** A run that is still open may have left a checkpoint already; it is no attempt to learn from yet. */
async function endedRuns(engine: Engine, job: Job): Promise<Run[]> {
  if (job.run === 0) return [];
  const items = await newest(engine, job.pk, RUN_PREFIX, CONTEXT.attempts + 1);
  const runs = items.flatMap((item) => RunSchema.safeParse(item).data ?? []);
  return runs.filter(({ outcome }) => outcome !== undefined).slice(0, CONTEXT.attempts);
}

async function newestComments(engine: Engine, job: Job): Promise<CommentItem[]> {
  if ((job.comments ?? 0) === 0) return [];
  const items = await newest(engine, job.pk, COMMENT_PREFIX, CONTEXT.comments);
  return items.flatMap((item) => CommentSchema.safeParse(item).data ?? []);
}

async function newest(engine: Engine, pk: string, prefix: string, limit: number) {
  const { items } = await engine.store.query({
    pk: { name: 'pk', value: pk },
    sk: { name: 'sk', prefix },
    limit,
    reverse: true,
    consistent: true,
  });
  return items;
}
