/** What a card's parents hand over to whoever works on it; a container's sub-cards to whoever judges it. */
import { committedGraphs } from '../graphs/staged.ts';
import type { Engine } from '../engine.ts';
import { HAND_OFFS_MAX } from '../policy.ts';
import { CardSchema, JobSchema, RunSchema, type Job } from '../store/items.ts';
import { cardKey, jobKey, runKey } from '../store/keys.ts';
import { isoOrNull } from '../views/time.ts';
import { parentsOf } from './open-parents.ts';
import { isSatisfied } from './satisfied.ts';

/** A done parent with what its last completion said, word for word. */
export interface HandOff {
  readonly card_id: string;
  readonly key: string;
  readonly title: string;
  readonly agent: string | null;
  readonly summary: string | null;
  readonly metadata: unknown;
  readonly completed_at: string | null;
}

/** What a card is handed: of very many parents only the last, though all that are done are counted. */
export interface HandedOver {
  readonly shown: readonly HandOff[];
  readonly total: number;
}

/** The hand-offs of the parents that are done, those done last at the end. */
export async function handOffs(engine: Engine, job: Job): Promise<HandedOver> {
  const ids = await parentsOf(engine, job.pk);
  if (ids.length === 0) return { shown: [], total: 0 };
  const items = await engine.store.batchGet(ids.map(jobKey));
  const jobs = items.flatMap((item) => JobSchema.safeParse(item).data ?? []);
  const committed = await committedGraphs(engine, jobs);
  const done = jobs
    .filter((parent) => isSatisfied(parent) && parent.state !== 'deleted')
    .filter(({ staged }) => staged === undefined || committed.has(staged))
    .sort((a, b) => a.since_at - b.since_at);
  return { shown: await readHandOffs(engine, done.slice(-HAND_OFFS_MAX)), total: done.length };
}

async function readHandOffs(engine: Engine, parents: readonly Job[]): Promise<HandOff[]> {
  const items = await engine.store.batchGet(
    parents.flatMap(({ pk, done_run }) => [cardKey(pk), runKey(pk, done_run ?? 0)]),
  );
  return parents.flatMap((parent, at): HandOff[] => {
    const card = CardSchema.safeParse(items[2 * at]).data;
    const run = RunSchema.safeParse(items[2 * at + 1]).data;
    if (card === undefined) return [];
    const { key, title } = card;
    return [
      {
        card_id: parent.pk,
        key,
        title,
        agent: run?.agent ?? null,
        summary: run?.summary ?? null,
        metadata: run?.metadata ?? null,
        completed_at: isoOrNull(run?.ended_at ?? parent.since_at),
      },
    ];
  });
}
