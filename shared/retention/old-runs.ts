/**
 * Runs that ended longer ago than their board keeps them. No index knows when a run ended, so the cards that are old
 * enough to have one are walked, in portions. Three runs of a card always stay: the present or last one, which a
 * repeated verb is answered from, the one whose output the card shows and hands on, and the one with the checkpoint.
 */
import type { Engine } from '../engine.ts';
import { STEP_CARDS, WALK_WIDTH } from '../policy.ts';
import { expression } from '../store/conditions.ts';
import { JobSchema, RunSchema, type Job, type RetentionItem, type Run } from '../store/items.ts';
import { cardKey, createdKey, jobKey, RUN_PREFIX } from '../store/keys.ts';
import { BY_BOARD_INDEX } from '../store/table.ts';
import { inWidth } from '../width.ts';
import type { Allowance } from './allowance.ts';
import { RUNS_PAGE, WALKED_PER_RUN } from './policy.ts';

type Walk = RetentionItem['walk'];

/** Goes on behind `walk`. Answers where it stopped; undefined at the end of the board. */
export async function removeOldRuns(
  engine: Engine,
  boardId: string,
  before: number,
  allowance: Allowance,
  walk: Walk,
): Promise<{ removed: number; walk: Walk }> {
  let removed = 0;
  let last = walk;
  for (let walked = 0; walked < WALKED_PER_RUN && !allowance.over; walked += STEP_CARDS) {
    const page = await engine.store.query({
      index: BY_BOARD_INDEX,
      pk: { name: 'board', value: boardId },
      sk: { name: 'created', until: createdKey(before) },
      limit: STEP_CARDS,
      ...(last === undefined
        ? {}
        : { start: { ...cardKey(last.pk), board: boardId, created: last.created } }),
    });
    const ids = page.items.map(({ pk }) => String(pk));
    const jobs = ids.length === 0 ? [] : await engine.store.batchGet(ids.map(jobKey));
    const counts = await inWidth(WALK_WIDTH, jobs, async (item) => removeRunsOf(engine, item, before));
    const count = counts.reduce((sum, each) => sum + each, 0);
    removed += count;
    allowance.spend(count);
    if (page.next === undefined) return { removed, walk: undefined };
    last = { pk: String(page.next['pk']), created: String(page.next['created']) };
  }
  return { removed, walk: last };
}

/** Of a card that this version cannot read nothing is removed. */
async function removeRunsOf(engine: Engine, item: unknown, before: number): Promise<number> {
  const job = JobSchema.safeParse(item).data;
  if (job === undefined || job.state === 'deleted' || job.run < 2) return 0;
  let removed = 0;
  for await (const run of endedBefore(engine, job.pk, before)) {
    if (isNeeded(job, run)) continue;
    // Its late holder may have come back with a result since.
    const condition = expression('#ended_at = :c_ended_at', { ended_at: run.ended_at });
    const { ok } = await engine.store.write({ kind: 'delete', key: { pk: run.pk, sk: run.sk }, condition });
    if (ok) removed += 1;
  }
  return removed;
}

const isNeeded = (job: Job, { number }: Run): boolean =>
  number >= job.run || number === job.done_run || number === job.abandoned?.run;

/** Runs end in the order of their numbers, so the first that is too young is the end of the search. */
async function* endedBefore(engine: Engine, cardId: string, before: number): AsyncGenerator<Run> {
  for await (const items of engine.store.pages({
    pk: { name: 'pk', value: cardId },
    sk: { name: 'sk', prefix: RUN_PREFIX },
    limit: RUNS_PAGE,
    consistent: true,
  })) {
    for (const item of items) {
      const run = RunSchema.safeParse(item).data;
      if (run?.ended_at === undefined) continue;
      if (run.ended_at >= before) return;
      yield run;
    }
  }
}
