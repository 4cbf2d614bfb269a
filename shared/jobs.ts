/**
 * Changing a card: read what verbs decide on, let the verb decide, write with the condition of its row in the
 * lifecycle; when another writer came between, read and decide again. Every verb that reads first goes this way.
 */
import type { Engine } from './engine.ts';
import { problem } from './errors.ts';
import { admitted } from './graphs/staged.ts';
import { allows, transition, type Op } from './lifecycle.ts';
import { CONFLICT_JITTER_MS, DECIDE_RETRIES, LIMITS } from './policy.ts';
import { conditionOf, type Pins } from './store/conditions.ts';
import {
  BodySchema,
  CardSchema,
  JobSchema,
  type Actor,
  type Card,
  type EventNote,
  type Job,
} from './store/items.ts';
import { bodyKey, cardKey, jobKey } from './store/keys.ts';
import { difference, type Update, type Write } from './store/params.ts';
import { cut } from './text.ts';

const OP_ID_BYTES = 6;

/** An item that does not parse: shown in diagnostics and passed by, never a reason to stop a queue. */
export class CorruptItem extends Error {
  constructor(pk: string, cause: unknown) {
    super(`The item of ${pk} is not as this version knows it`, { cause });
    this.name = 'CorruptItem';
  }
}

export function parseJob(item: unknown, cardId: string): Job {
  const parsed = JobSchema.safeParse(item);
  if (!parsed.success) throw new CorruptItem(cardId, parsed.error);
  return parsed.data;
}

/** The same for lists, which pass a corrupt item by: it shows in diagnostics, and never takes a list with it. */
export function readableJob(item: unknown, cardId: string): Job | 'corrupt' | undefined {
  if (item === undefined) return undefined;
  try {
    return parseJob(item, cardId);
  } catch {
    return 'corrupt';
  }
}

/** JOB, and CARD where asked, as they are now; undefined when the card does not exist, or not yet. */
export async function readCard(
  engine: Engine,
  cardId: string,
): Promise<{ job: Job; card: Card } | undefined> {
  const [item, card] = await engine.store.batchGet([jobKey(cardId), cardKey(cardId)]);
  if (item === undefined || card === undefined) return undefined;
  const job = await admitted(engine, parseJob(item, cardId));
  return job === undefined ? undefined : { job, card: CardSchema.parse(card) };
}

/** The same with the card's text, from its own item when it is long. */
export async function readCardWithBody(
  engine: Engine,
  cardId: string,
): Promise<{ job: Job; card: Card; body: string } | undefined> {
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const [item, found, body] = await engine.store.batchGet([
      jobKey(cardId),
      cardKey(cardId),
      bodyKey(cardId),
    ]);
    if (item === undefined || found === undefined) return undefined;
    const job = await admitted(engine, parseJob(item, cardId));
    if (job === undefined) return undefined;
    const card = CardSchema.parse(found);
    const text = textOf(card, body);
    if (text !== null) return { job, card, body: text };
  }
  throw problem('throttled', 'The text of the card keeps changing. Try again shortly.', {
    retry_after_seconds: 1,
  });
}

/** The text that CARD and BODY make together; null when they were read from before and after a change of it. */
export function textOf(card: Card, body: unknown): string | null {
  if (card.long_body !== true) return card.body ?? '';
  return body === undefined ? null : BodySchema.parse(body).body;
}

export async function readJob(engine: Engine, cardId: string): Promise<Job | undefined> {
  const item = await engine.store.get(jobKey(cardId));
  return item === undefined ? undefined : admitted(engine, parseJob(item, cardId));
}

export interface Change {
  readonly op: Op;
  readonly before: Job;
  readonly after: Job;
  readonly events: readonly EventNote[];
  /** Values for clauses that do not compare with `before`: the token's nonce, an expected deadline. */
  readonly pins?: Pins;
}

/** An event of a change, with where the card came from. Its reason is cut: JOB must stay small. */
export function note(
  type: EventNote['type'],
  by: Actor,
  before: Job,
  more: Partial<Omit<EventNote, 'type' | 'by'>> = {},
): EventNote {
  const { reason, ...rest } = more;
  return {
    type,
    by,
    from: { column_id: before.column_id, state: before.state },
    ...rest,
    ...(reason === undefined ? {} : { reason: cut(reason, LIMITS.reasonShownBytes) }),
  };
}

/** The lease of a job as events carry it. */
export function leaseNote(job: Job): Pick<EventNote, 'lease'> {
  const { agent, claimed_at, expires_at } = job;
  if (agent === undefined || claimed_at === undefined || expires_at === undefined) return {};
  return { lease: { agent, attempt: job.attempt, run: job.run, claimed_at, expires_at } };
}

/** JOB's write for a change: the difference of the two, with the counters that every transition advances. */
export function jobWrite(change: Change, opId: string, now: number): { write: Update; after: Job } {
  const { before, op } = change;
  const silent = transition(op).silent === true;
  const after: Job = { ...change.after, op, op_id: opId };
  if (!silent) {
    after.sequence = before.sequence + change.events.length;
    after.ev = [...change.events];
    after.updated_at = now;
  }
  const { set, remove } = difference(before, after);
  const pins: Pins = {
    sequence: before.sequence,
    op_id: before.op_id ?? null,
    run: before.run,
    ...(before.expires_at === undefined ? {} : { expires_at: before.expires_at }),
    ...change.pins,
  };
  const key = jobKey(before.pk);
  // Said also where it is the same: a renewal that came between has left its own, and the stream's filter would take
  // this write for one.
  const said = { ...set, op };
  return { write: { kind: 'update', key, set: said, remove, condition: conditionOf(op, pins) }, after };
}

/** The change of a second card, for the transaction that changes another. */
export function sideWrite(engine: Engine, change: Change): Update {
  return jobWrite(change, engine.deps.secret(OP_ID_BYTES), engine.deps.now()).write;
}

export type Outcome = { done: true; job: Job } | { done: false; refused: ('job' | number)[] };

/**
 * Writes a change together with `also`. Not done: which parts refused, so that the caller decides anew. A write
 * whose answer was lost and that is then refused by itself counts as done.
 */
export async function writeChange(
  engine: Engine,
  change: Change,
  also: readonly Write[] = [],
): Promise<Outcome> {
  const opId = engine.deps.secret(OP_ID_BYTES);
  const { write, after } = jobWrite(change, opId, engine.deps.now());
  if (also.length === 0) {
    const written = await engine.store.write(write);
    if (written.ok) return { done: true, job: parseJob(written.item, change.before.pk) };
    if (written.old?.['op_id'] === opId) return { done: true, job: parseJob(written.old, change.before.pk) };
    return { done: false, refused: ['job'] };
  }
  const written = await engine.store.transact([write, ...also]);
  if (written.ok) return { done: true, job: after };
  const refused = written.refused.flatMap((part, at): ('job' | number)[] =>
    part === null ? [] : [at === 0 ? 'job' : at - 1],
  );
  return { done: false, refused };
}

export type Decision<T> =
  | { readonly change: Change; readonly also?: readonly Write[]; readonly result: (job: Job) => T }
  | { readonly answer: T };

/** Runs `decide` until its write is accepted; it must read whatever it decides on. */
export async function decideUntilWritten<T>(engine: Engine, decide: () => Promise<Decision<T>>): Promise<T> {
  for (let attempt = 0; attempt < DECIDE_RETRIES; attempt += 1) {
    const decision = await decide();
    if ('answer' in decision) return decision.answer;
    const outcome = await writeChange(engine, decision.change, decision.also);
    if (outcome.done) return decision.result(outcome.job);
    await engine.deps.sleep(engine.deps.random() * CONFLICT_JITTER_MS * (attempt + 1));
  }
  throw problem('throttled', 'Other writers kept coming between. Nothing was changed; try again shortly.', {
    retry_after_seconds: 1,
  });
}

/** Refuses an op that the card's state does not allow, saying which state it is in. */
export function mustAllow(op: Op, job: Job): void {
  if (!allows(op, job.state)) {
    const from = transition(op).from.join(', ');
    throw problem(
      'conflict',
      `A card that is '${job.state}' cannot ${op.replaceAll('_', ' ')}; it must be ${from}.`,
    );
  }
}
