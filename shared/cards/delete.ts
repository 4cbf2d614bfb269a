/**
 * Deleting a card: first a transition, to a tombstone that tells a late worker what became of its card, with
 * CARD and BODY gone in the same transaction; then whatever else lies under the card, which nothing reaches any
 * more, page by page.
 */
import { removeFiles } from '../attachments/remove.ts';
import type { Caller, Engine } from '../engine.ts';
import { decideUntilWritten, mustAllow, note, type Decision } from '../jobs.ts';
import { removeEdges } from '../links/remove.ts';
import { isSatisfied } from '../links/satisfied.ts';
import { TOMBSTONE_MS } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { bodyKey, cardKey, jobKey } from '../store/keys.ts';
import type { Write } from '../store/params.ts';
import { readDraft, tidyAfter, type Draft } from './change.ts';
import { freed, type Force } from './free.ts';

/** Items deleted at a time; a card has one per run and few others. */
const PAGE = 25;

export async function deleteOne(engine: Engine, caller: Caller, cardId: string, force: Force): Promise<void> {
  let held: Job | undefined;
  const tombstone = await decideUntilWritten(engine, async (): Promise<Decision<Job>> => {
    const draft = await readDraft(engine, caller, cardId, true);
    held = draft.before.job;
    return burial(draft, force);
  });
  await tidyAfter(engine, held, tombstone);
  await removeEdges(engine, tombstone);
  await removeRest(engine, cardId);
}

function burial(draft: Draft, force: Force): Decision<Job> {
  const free = freed(draft, 'deleted', force);
  const { by, before } = draft;
  if (free.op !== 'reclaim') mustAllow('delete', before.job);
  const gone: Write[] = [{ kind: 'delete', key: cardKey(before.job.pk) }];
  if (before.card.long_body) gone.push({ kind: 'delete', key: bodyKey(before.job.pk) });
  return {
    change: {
      op: free.op === 'reclaim' ? 'reclaim' : 'delete',
      before: before.job,
      after: tombstoneOf(free.job, draft.now),
      events: [...free.events, note('card.deleted', by, before.job)],
    },
    also: gone,
    result: (job) => job,
  };
}

/** What is left of a deleted card: its counters and its end. In no lane; TTL removes it when nobody asks any more. */
function tombstoneOf(job: Job, now: number): Job {
  const { pk, sk, v, board_id, column_id, priority, rank, run, attempt, rev, sequence, op, ev, updated_at } =
    job;
  const counters = { run, attempt, rev, sequence, op, ev, updated_at };
  const ttl = Math.ceil((now + TOMBSTONE_MS) / 1_000);
  return {
    pk,
    sk,
    v,
    board_id,
    column_id,
    priority,
    rank,
    state: 'deleted',
    since_at: now,
    ttl,
    ...counters,
    // What waited for it does so no longer.
    ...(isSatisfied(job) ? { archived_from: 'done' as const } : {}),
  };
}

async function removeRest(engine: Engine, cardId: string): Promise<void> {
  const kept = jobKey(cardId).sk;
  for (;;) {
    const { items } = await engine.store.query({
      pk: { name: 'pk', value: cardId },
      consistent: true,
      limit: PAGE + 1,
    });
    const rest = items.map(({ sk }) => String(sk)).filter((sk) => sk !== kept);
    if (rest.length === 0) return;
    await removeFiles(engine, items);
    await Promise.all(
      rest.map(async (sk) => engine.store.write({ kind: 'delete', key: { pk: cardId, sk } })),
    );
  }
}
