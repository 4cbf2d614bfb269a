/** Runs: one item per attempt, written when the attempt ends, with what a repeat of its closing verb needs. */
import type { Engine } from './engine.ts';
import type { RunOutcome } from './model/states.ts';
import { LAYOUT_VERSION, RunSchema, toJsonText, type Job, type Run } from './store/items.ts';
import { runKey } from './store/keys.ts';
import type { Update } from './store/params.ts';

export interface Closing {
  readonly outcome: RunOutcome;
  /** Name of the verb that ended it: its repeat with the same token is answered, another is refused. */
  readonly verb: string;
  /** Agent or person that ended it. */
  readonly by: string;
  /** What a person's verb did to the card (`moved`, `archived`, ...), for the worker that hears of it. */
  readonly why?: string;
  readonly summary?: string;
  readonly metadata?: unknown;
  readonly output?: unknown;
  readonly error?: string;
  readonly late?: true;
  readonly refunded?: true;
  readonly dead_lettered?: true;
  readonly next_attempt_at?: number;
}

/** The attributes as they are kept: users' JSON as text. */
function stored(set: Pick<Closing, 'output' | 'metadata'>): Record<string, unknown> {
  const { output, metadata } = set;
  return {
    ...set,
    ...(output === undefined ? {} : { output: toJsonText(output) }),
    ...(metadata === undefined ? {} : { metadata: toJsonText(metadata) }),
  };
}

/** The run that `job`'s present lease is, closed. An update, since a checkpoint may be there already. */
export function closeRun(job: Job, closing: Closing, now: number): { write: Update; run: Run } {
  const key = runKey(job.pk, job.run);
  const set = {
    v: LAYOUT_VERSION,
    board_id: job.board_id,
    column_id: job.column_id,
    number: job.run,
    attempt: job.attempt,
    ...(job.agent === undefined ? {} : { agent: job.agent }),
    ...(job.nonce === undefined ? {} : { nonce: job.nonce }),
    ...(job.claimed_at === undefined ? {} : { started_at: job.claimed_at }),
    ended_at: now,
    ...closing,
  };
  return { write: { kind: 'update', key, set: stored(set), remove: [] }, run: { ...key, ...set } };
}

/** A run that ended as `expired` and whose late holder has come back with a result after all. */
export function closeLateRun(run: Run, closing: Closing, now: number): { write: Update; run: Run } {
  const set = { ...closing, late: true as const, ended_at: now };
  const { error: _expiry, ...rest } = run;
  const key = { pk: run.pk, sk: run.sk };
  const remove = closing.error === undefined ? ['error'] : [];
  return { write: { kind: 'update', key, set: stored(set), remove }, run: { ...rest, ...set } };
}

/** The run reopened: its holder renewed late, and nobody had taken the card. */
export function reopenRun(cardId: string, run: number): Update {
  return {
    kind: 'update',
    key: runKey(cardId, run),
    set: { v: LAYOUT_VERSION },
    remove: ['outcome', 'verb', 'by', 'error', 'ended_at'],
  };
}

export async function readRun(engine: Engine, cardId: string, run: number): Promise<Run | undefined> {
  const item = await engine.store.get(runKey(cardId, run));
  return item === undefined ? undefined : RunSchema.parse(item);
}
