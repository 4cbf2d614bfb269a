/**
 * Attaching a file: a row under the card, counted on JOB in the same transaction, and the file in the bucket. A
 * file that the request brings along lies in the bucket before its row is written, so no row names one that never
 * came; one that is uploaded afterwards is looked for by whoever asks for it.
 */
import { renewedHold } from '../cards/holder.ts';
import { findJob, openBoard } from '../cards/read.ts';
import { actorOf, hasScope, type Caller, type Engine } from '../engine.ts';
import { isProblem, notFound, problem } from '../errors.ts';
import { findRecord, recordWrite, type Repeatable, type Replayable } from '../idempotency.ts';
import { newId } from '../ids.ts';
import { decideUntilWritten, note, type Change, type Decision } from '../jobs.ts';
import type { CreateAttachmentBody } from '../schemas/attachments.ts';
import type { AttachmentItem } from '../store/attachment-items.ts';
import { ABSENT } from '../store/conditions.ts';
import { LAYOUT_VERSION, type Actor, type IdempotencyItem, type Job } from '../store/items.ts';
import { attachmentKey } from '../store/keys.ts';
import { freeName } from './file-name.ts';
import { FILES_PER_CARD } from './policy.ts';
import { attachmentRows, objectKey } from './rows.ts';
import { sourceOf, type Source } from './source.ts';

type Input = CreateAttachmentBody & { readonly card: string };
type Attached = Replayable<AttachmentItem>;

export async function attach(
  engine: Engine,
  caller: Caller,
  input: Input,
  repeat: Repeatable | null,
): Promise<Attached> {
  mayAttach(caller, input);
  const before = await look(engine, caller, input, repeat);
  if (before.earlier !== undefined) return before.earlier;
  mustHaveRoom(before.rows);
  const source = await sourceOf(engine, input);
  const place = { pk: input.card, board_id: before.job.board_id, id: newId('att', engine.deps) };
  if (source.bytes !== null) await engine.bucket.put(objectKey(place), source.bytes, source.content_type);
  try {
    const made = await written(engine, caller, input, repeat, source, place.id);
    if (made.value.id !== place.id) await dropped(engine, source, place);
    return made;
  } catch (error) {
    // Refused for certain. After any other failure the row may be there, and then the file must be too.
    if (isProblem(error) && error.code !== 'throttled') await dropped(engine, source, place);
    throw error;
  }
}

function mayAttach(caller: Caller, { lease_token }: Input): void {
  if (lease_token !== undefined || hasScope(caller, 'member')) return;
  throw problem(
    'forbidden',
    "Attaching to a card needs the scope 'member', or the lease_token of the lease under which you hold it.",
  );
}

interface Seen {
  readonly job: Job;
  readonly rows: readonly AttachmentItem[];
  /** What an equal request made before. */
  readonly earlier: Attached | undefined;
}

async function look(engine: Engine, caller: Caller, input: Input, repeat: Repeatable | null): Promise<Seen> {
  const [job, record] = await Promise.all([
    findJob(engine, caller, input.card),
    repeat === null ? undefined : findRecord(engine, caller, repeat),
  ]);
  const rows = await attachmentRows(engine, job.pk);
  const earlier = record === undefined ? undefined : madeBefore(rows, record);
  if (earlier === undefined) await openBoard(engine, caller, job.board_id);
  return { job, rows, earlier };
}

function madeBefore(rows: readonly AttachmentItem[], { sequence }: IdempotencyItem): Attached {
  const value = rows.find((row) => row.sequence === sequence);
  if (value === undefined) throw notFound('attachment', 'of the request before, which was removed since');
  return { value, created: false, replayed: true };
}

function mustHaveRoom(rows: readonly AttachmentItem[]): void {
  if (rows.length < FILES_PER_CARD) return;
  throw problem('quota_exceeded', `A card holds at most ${FILES_PER_CARD} attachments. Remove one first.`);
}

async function written(
  engine: Engine,
  caller: Caller,
  input: Input,
  repeat: Repeatable | null,
  source: Source,
  id: string,
): Promise<Attached> {
  return decideUntilWritten(engine, async (): Promise<Decision<Attached>> => {
    const { job, rows, earlier } = await look(engine, caller, input, repeat);
    if (earlier !== undefined) return { answer: earlier };
    mustHaveRoom(rows);
    const change = await attached(engine, caller, input, job);
    const row = rowOf(engine, change, source, rows, id);
    const made = { board_id: job.board_id, card_id: job.pk, sequence: row.sequence };
    return {
      change,
      also: [
        { kind: 'put', item: row, condition: ABSENT },
        ...(repeat === null ? [] : [recordWrite(engine, caller, repeat, { ...made, status: 201 })]),
      ],
      result: () => ({ value: row, created: true, replayed: false }),
    };
  });
}

/** The count on JOB; a holder's attachment pushes its deadline as well. */
async function attached(engine: Engine, caller: Caller, input: Input, job: Job): Promise<Change> {
  const held =
    input.lease_token === undefined ? null : await renewedHold(engine, caller, job, input.lease_token);
  const before = held?.before ?? job;
  const by: Actor = held === null ? actorOf(caller) : { type: 'agent', id: before.agent ?? '' };
  return {
    op: held === null ? 'attach' : 'attach_held',
    before,
    after: { ...(held?.job ?? job), attachments: (before.attachments ?? 0) + 1 },
    events: [note('card.attached', by, before)],
    ...(held === null ? {} : { pins: held.pins }),
  };
}

function rowOf(
  engine: Engine,
  { before, events }: Change,
  { name, content_type, size, bytes }: Source,
  others: readonly AttachmentItem[],
  id: string,
): AttachmentItem {
  return {
    ...attachmentKey(before.pk, id),
    v: LAYOUT_VERSION,
    board_id: before.board_id,
    id,
    name: freeName(
      name,
      others.map((other) => other.name),
    ),
    content_type,
    size,
    by: events[0]?.by ?? { type: 'system', id: '' },
    sequence: before.sequence + 1,
    created_at: engine.deps.now(),
    ...(bytes === null ? {} : { uploaded: true as const }),
  };
}

/** Removes a file that no row names. Left behind it costs its storage and nothing else. */
async function dropped(
  engine: Engine,
  { bytes }: Source,
  place: Pick<AttachmentItem, 'board_id' | 'pk' | 'id'>,
): Promise<void> {
  if (bytes !== null) await engine.bucket.remove(objectKey(place)).catch(() => undefined);
}
