/** Telling a worker that its lease is gone: why, by whom, what became of its run, and who has the card now. */
import type { Engine, Caller } from './engine.ts';
import { mayKnow } from './columns.ts';
import { notFound, problem, type LostReason, type Problem } from './errors.ts';
import { leaseId } from './ids.ts';
import { readJob } from './jobs.ts';
import { lifeOver } from './model/hold.ts';
import { iso } from './views/time.ts';
import { readRun } from './runs.ts';
import type { Job, Run } from './store/items.ts';

const REASON_OF_OUTCOME: Record<NonNullable<Run['outcome']>, LostReason> = {
  completed: 'completed',
  failed: 'failed',
  expired: 'expired',
  released: 'released',
  blocked: 'blocked',
  review_requested: 'review_requested',
  changes_requested: 'changes_requested',
  taken_over: 'taken_over',
  timed_out: 'timed_out',
  reclaimed: 'revoked',
  dead_lettered: 'dead_lettered',
};

const PERSONS_REASONS = new Set<string>(['moved', 'archived', 'deleted', 'revoked'] satisfies LostReason[]);

function isPersonsReason(why: string | undefined): why is LostReason {
  return why !== undefined && PERSONS_REASONS.has(why);
}

function reasonFor(job: Job, run: Run | undefined, asked: number, now: number): LostReason {
  if (job.state === 'deleted') return 'deleted';
  if (isPersonsReason(run?.why)) return run.why;
  if (run?.dead_lettered === true && run.outcome !== 'failed') return 'dead_lettered';
  const outcome = run?.outcome;
  if (outcome === 'expired' && job.run > asked) return 'superseded';
  if (outcome !== undefined) return REASON_OF_OUTCOME[outcome];
  return job.run === asked && lifeOver(job, now) ? 'timed_out' : 'superseded';
}

/** The refusal for a token that is not the card's current one; `not_found` when the lease never was. */
export async function lostLease(
  engine: Engine,
  caller: Caller,
  cardId: string,
  asked: number,
): Promise<Problem> {
  const [job, run] = await Promise.all([readJob(engine, cardId), readRun(engine, cardId, asked)]);
  const id = leaseId(cardId, asked);
  if (job === undefined || !mayKnow(caller, job.board_id) || asked > job.run) return notFound('lease', id);
  const now = engine.deps.now();
  const reason = reasonFor(job, run, asked, now);
  const current = currentHold(job);
  const superseded = reason === 'superseded' || reason === 'taken_over';
  const end = run ?? burialOf(job);
  const by = superseded && current !== null ? current.agent : (end.by ?? null);
  const at = end.ended_at ?? job.claimed_at ?? null;
  return problem('lease_lost', sentence(id, reason), {
    reason,
    by,
    at: at === null ? null : iso(at),
    run: { number: asked, outcome: end.outcome ?? null },
    current,
    retryable: false,
  });
}

/** The runs of a deleted card are gone with it; its tombstone tells who deleted it, and whether from a worker. */
function burialOf(job: Job): Pick<Run, 'by' | 'ended_at' | 'outcome'> {
  if (job.state !== 'deleted') return {};
  const revoked = job.ev.some(({ type }) => type === 'card.lease.revoked');
  const by = job.ev.at(-1)?.by.id;
  return { by, ended_at: job.since_at, ...(revoked ? { outcome: 'reclaimed' } : {}) };
}

function currentHold(job: Job) {
  if (job.state !== 'leased' || job.agent === undefined) return null;
  return { agent: job.agent, attempt: job.attempt, expires_at: iso(job.expires_at ?? 0) };
}

const SENTENCES: Partial<Record<LostReason, string>> = {
  superseded: 'Another worker has the card, or the token is not the one that the claim gave',
  expired: 'It expired and somebody has changed the card since',
  completed: 'It ended when the card was completed',
  timed_out: 'It reached the longest life that its contract permits',
  dead_lettered: 'It expired with the last attempt, and the card is dead-lettered',
};

function sentence(id: string, reason: LostReason): string {
  const why = SENTENCES[reason] ?? `It ended: ${reason.replaceAll('_', ' ')}`;
  return `The lease ${id} is no longer yours. ${why}. Stop the work; trying again cannot help.`;
}
