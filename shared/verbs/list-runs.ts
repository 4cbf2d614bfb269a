/** The runs of a card, oldest first; the open one last. A page may be short where they say much. */
import * as z from 'zod';
import { AnswerRoom } from '../answer-room.ts';
import { mayKnow } from '../columns.ts';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { readJob } from '../jobs.ts';
import { RunSchema, type Job } from '../store/items.ts';
import { RUN_PREFIX, runKey } from '../store/keys.ts';
import { openRunView, runView, type RunView } from '../views/card.ts';

const Position = z.number().int().min(0);

export async function listRuns(
  engine: Engine,
  caller: Caller,
  input: { card: string; limit: number; cursor?: string | undefined },
): Promise<{ items: RunView[]; next_cursor: string | null }> {
  const job = isId('crd', input.card) ? await readJob(engine, input.card) : undefined;
  if (job === undefined || job.state === 'deleted' || !mayKnow(caller, job.board_id)) {
    throw notFound('card', input.card);
  }
  const list = `runs ${input.card}`;
  const from = input.cursor === undefined ? 0 : readListCursor(engine, list, input.cursor, Position);
  const { items, next } = await engine.store.query({
    pk: { name: 'pk', value: job.pk },
    sk: { name: 'sk', prefix: RUN_PREFIX },
    limit: input.limit,
    consistent: true,
    ...(from === 0 ? {} : { start: { ...runKey(job.pk, from) } }),
  });
  const runs = items.map((item) => RunSchema.parse(item));
  const room = new AnswerRoom();
  const views: RunView[] = [];
  let last = from;
  for (const run of runs) {
    const view = run.outcome === undefined ? null : runView(run);
    if (view !== null && !room.takes(view))
      return { items: views, next_cursor: makeListCursor(engine, list, last) };
    if (view !== null) views.push(view);
    last = run.number;
  }
  if (next === undefined)
    return { items: [...views, ...openRun(job, runs.at(-1)?.checkpoint)], next_cursor: null };
  return { items: views, next_cursor: makeListCursor(engine, list, last) };
}

function openRun(job: Job, checkpoint: string | undefined): RunView[] {
  return job.state === 'leased' ? [openRunView(job, checkpoint)] : [];
}
