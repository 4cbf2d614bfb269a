/**
 * Deleting a card: first a transition, to a tombstone that tells a late worker what became of its card, with
 * CARD and BODY gone in the same transaction; then whatever else lies under the card, which nothing reaches any
 * more. Until that is done the card is registered as going away, so that the reaper ends what a crash cut short.
 */
import { SYSTEM, type Caller, type Engine } from '../engine.ts';
import { goingPut } from '../going-away/register.ts';
import { removeRemains } from '../going-away/remove-remains.ts';
import { forgetWrite } from '../graphs/register.ts';
import { decideUntilWritten, mustAllow, note, type Decision } from '../jobs.ts';
import { isSatisfied } from '../links/satisfied.ts';
import { TOMBSTONE_MS } from '../policy.ts';
import type { Job } from '../store/items.ts';
import { bodyKey, cardKey } from '../store/keys.ts';
import type { Write } from '../store/params.ts';
import { readDraft, tidyAfter, type Draft } from './change.ts';
import { freed, type Force } from './free.ts';

export async function deleteOne(engine: Engine, caller: Caller, cardId: string, force: Force): Promise<void> {
  await bury(engine, async () => burial(await readDraft(engine, caller, cardId, true), force));
}

/** Whose right it is that the board's settings are kept to. */
const KEEPER: Caller = {
  tokenId: SYSTEM.id,
  tokenName: SYSTEM.id,
  scopes: ['admin'],
  boardId: null,
  agent: null,
};

/** Deletes a card that the system needs no longer, if `mayGo` still holds when it does. True when it did. */
export async function deleteUnneeded(
  engine: Engine,
  cardId: string,
  mayGo: (job: Job) => boolean | Promise<boolean>,
): Promise<boolean> {
  return bury(engine, async () => {
    const draft = await readDraft(engine, KEEPER, cardId, false);
    return (await mayGo(draft.job)) ? burial({ ...draft, by: SYSTEM }, {}) : { answer: null };
  });
}

async function bury(engine: Engine, decide: () => Promise<Decision<Burial | null>>): Promise<boolean> {
  const buried = await decideUntilWritten(engine, decide);
  if (buried === null) return false;
  const { held, tombstone } = buried;
  await tidyAfter(engine, held, tombstone);
  if (held.decomposed) await engine.store.write(forgetWrite(held.pk, engine.deps.now()));
  await removeRemains(engine, tombstone);
  return true;
}

interface Burial {
  /** As it was before. */
  readonly held: Job;
  readonly tombstone: Job;
}

function burial(draft: Draft, force: Force): Decision<Burial> {
  const free = freed(draft, 'deleted', force);
  const { engine, by, before } = draft;
  if (free.op !== 'reclaim') mustAllow('delete', before.job);
  const { pk, board_id } = before.job;
  const gone: Write[] = [{ kind: 'delete', key: cardKey(pk) }, goingPut(engine, pk, board_id)];
  if (before.card.long_body) gone.push({ kind: 'delete', key: bodyKey(pk) });
  return {
    change: {
      op: free.op === 'reclaim' ? 'reclaim' : 'delete',
      before: before.job,
      after: tombstoneOf(free.job, draft.now),
      events: [...free.events, note('card.deleted', by, before.job)],
    },
    also: gone,
    result: (tombstone) => ({ held: before.job, tombstone }),
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
