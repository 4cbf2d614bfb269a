/**
 * Appending to a card's thread. The comment is counted on JOB in the transaction that writes it, which is how a
 * busy worker hears of it at its next heartbeat; nothing of a hold is touched. Comments stand in the order of the
 * card's events, so that a reader who follows them by cursor misses none.
 */
import { renewedHold } from '../cards/holder.ts';
import { findJob, openBoard } from '../cards/read.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { findRecord, recordWrite, type Repeatable, type Replayable } from '../idempotency.ts';
import { newId } from '../ids.ts';
import { decideUntilWritten, note, type Change, type Decision } from '../jobs.ts';
import type { CreateCommentBody } from '../schemas/comments.ts';
import { CommentSchema, LAYOUT_VERSION, type Actor, type CommentItem, type Job } from '../store/items.ts';
import { commentKey } from '../store/keys.ts';
import { mentionsIn } from './mentions.ts';

type Input = CreateCommentBody & { readonly card: string };

export async function appendComment(
  engine: Engine,
  caller: Caller,
  input: Input,
  repeat: Repeatable | null,
): Promise<Replayable<CommentItem>> {
  return decideUntilWritten(engine, async (): Promise<Decision<Replayable<CommentItem>>> => {
    const [job, record] = await Promise.all([
      findJob(engine, caller, input.card),
      repeat === null ? undefined : findRecord(engine, caller, repeat),
    ]);
    if (record?.sequence !== undefined) {
      const value = await readComment(engine, job.pk, record.sequence);
      return { answer: { value, created: false, replayed: true } };
    }
    await openBoard(engine, caller, job.board_id);
    const change = await commented(engine, caller, input, job);
    const comment = newComment(engine, change, input.body);
    const made = { board_id: job.board_id, card_id: job.pk, sequence: change.before.sequence + 1 };
    return {
      change,
      also: [
        { kind: 'put', item: comment },
        ...(repeat === null ? [] : [recordWrite(engine, caller, repeat, { ...made, status: 201 })]),
      ],
      result: () => ({ value: comment, created: true, replayed: false }),
    };
  });
}

/** The count on JOB; a holder's comment pushes its deadline as well. */
async function commented(engine: Engine, caller: Caller, input: Input, job: Job): Promise<Change> {
  const held =
    input.lease_token === undefined ? null : await renewedHold(engine, caller, job, input.lease_token);
  const before = held?.before ?? job;
  const by: Actor = held === null ? actorOf(caller) : { type: 'agent', id: before.agent ?? '' };
  const counted = { ...(held?.job ?? job), comments: (before.comments ?? 0) + 1 };
  return {
    op: held === null ? 'comment' : 'comment_held',
    before,
    after: counted,
    events: [note('card.commented', by, before)],
    ...(held === null ? {} : { pins: held.pins }),
  };
}

function newComment(engine: Engine, { before, events }: Change, body: string): CommentItem {
  const by = events[0]?.by ?? { type: 'system', id: '' };
  return {
    ...commentKey(before.pk, before.sequence + 1),
    v: LAYOUT_VERSION,
    board_id: before.board_id,
    id: newId('cmt', engine.deps),
    by,
    body,
    mentions: mentionsIn(body),
    created_at: engine.deps.now(),
  };
}

async function readComment(engine: Engine, cardId: string, sequence: number): Promise<CommentItem> {
  return CommentSchema.parse(await engine.store.get(commentKey(cardId, sequence)));
}
