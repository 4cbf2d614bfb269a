/** What lies under a card, as rows: attachments without their files, comments, runs; the run that goes on is last. */
import type { Engine } from '../engine.ts';
import { isObject } from '../json-schema/json.ts';
import type { AttachmentRow, CommentRow, RunRow } from '../schemas/transfer.ts';
import { AttachmentSchema } from '../store/attachment-items.ts';
import { CommentSchema, RunSchema, type Job, type Run } from '../store/items.ts';
import { ATTACHMENT_PREFIX, COMMENT_PREFIX, RUN_PREFIX, runKey } from '../store/keys.ts';
import type { Item } from '../store/params.ts';
import { iso } from '../views/time.ts';

export interface AroundStep {
  readonly row: AttachmentRow | CommentRow | RunRow;
  /** Key of the row under its card. */
  readonly under: string;
}

/** Runs may weigh 250 KB: few are read ahead of what a page has room for. */
const PAGE = 10;

/** @param after Key under the card that the rows begin behind; '' for all of them. */
export async function* aroundRows(engine: Engine, job: Job, after: string): AsyncGenerator<AroundStep> {
  for await (const item of itemsUnder(engine, job.pk, ATTACHMENT_PREFIX, after)) {
    yield { row: attachmentRow(item), under: String(item['sk']) };
  }
  for await (const item of itemsUnder(engine, job.pk, COMMENT_PREFIX, after)) {
    yield { row: commentRow(item), under: String(item['sk']) };
  }
  yield* runRows(engine, job, after);
}

async function* runRows(engine: Engine, job: Job, after: string): AsyncGenerator<AroundStep> {
  let open: Run | undefined;
  for await (const item of itemsUnder(engine, job.pk, RUN_PREFIX, after)) {
    const run = RunSchema.parse(item);
    // A checkpoint of the run that goes on; it is written whole when it ends.
    if (run.outcome === undefined) open = run;
    else yield { row: runRow(run), under: run.sk };
  }
  const under = runKey(job.pk, job.run).sk;
  if (job.state === 'leased' && under > after) yield { row: openRunRow(job, open?.checkpoint), under };
}

/** The prefixes sort as they are asked for. */
async function* itemsUnder(
  engine: Engine,
  cardId: string,
  prefix: string,
  after: string,
): AsyncGenerator<Item> {
  const within = after.startsWith(prefix);
  if (after > prefix && !within) return;
  const pages = engine.store.pages({
    pk: { name: 'pk', value: cardId },
    sk: { name: 'sk', prefix },
    limit: PAGE,
    consistent: true,
    ...(within ? { start: { pk: cardId, sk: after } } : {}),
  });
  for await (const items of pages) yield* items;
}

function attachmentRow(item: Item): AttachmentRow {
  const { id, pk, name, content_type, size, sequence, by, created_at } = AttachmentSchema.parse(item);
  const file = { name, content_type, size };
  return { type: 'attachment', id, card_id: pk, ...file, sequence, author: by, created_at: iso(created_at) };
}

function commentRow(item: Item): CommentRow {
  const { id, pk, sk, by, body, created_at } = CommentSchema.parse(item);
  const sequence = Number(sk.slice(COMMENT_PREFIX.length));
  return { type: 'comment', id, card_id: pk, sequence, author: by, body, created_at: iso(created_at) };
}

function runRow(run: Run): RunRow {
  const { pk, number, outcome, column_id, attempt, agent, by, why, late, refunded, dead_lettered } = run;
  const { summary, metadata, output, error, checkpoint } = run;
  return {
    type: 'run',
    card_id: pk,
    number,
    outcome,
    column_id,
    attempt,
    agent,
    ended_by: by,
    why,
    late,
    refunded,
    dead_lettered,
    summary,
    ...(isObject(metadata) ? { metadata } : {}),
    ...(output === undefined ? {} : { output }),
    error,
    checkpoint,
    ...times(run),
  };
}

function times({ next_attempt_at: next, started_at: started, ended_at: ended }: Run) {
  return {
    ...(next === undefined ? {} : { next_attempt_at: iso(next) }),
    ...(started === undefined ? {} : { started_at: iso(started) }),
    ...(ended === undefined ? {} : { ended_at: iso(ended) }),
  };
}

function openRunRow(job: Job, checkpoint: string | undefined): RunRow {
  const { pk, run: number, column_id, attempt, agent, claimed_at } = job;
  const started = claimed_at === undefined ? {} : { started_at: iso(claimed_at) };
  return { type: 'run', card_id: pk, number, column_id, attempt, agent, checkpoint, ...started };
}
