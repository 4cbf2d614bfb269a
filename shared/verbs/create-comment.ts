/** Comment: append to a card's thread. */
import { appendComment } from '../comments/append.ts';
import { commentView, type CommentView } from '../comments/view.ts';
import type { Caller, Engine } from '../engine.ts';
import type { Repeatable, Replayable } from '../idempotency.ts';
import type { CreateCommentBody } from '../schemas/comments.ts';

/**
 * Answers the comment with the names that it mentions. Any card may be commented on, held ones too: their worker
 * hears of it at its next heartbeat. With a `lease_token` it is the holder's own, and renews its lease.
 */
export async function createComment(
  engine: Engine,
  caller: Caller,
  input: CreateCommentBody & { card: string },
  repeat: Repeatable | null,
): Promise<Replayable<CommentView>> {
  const { value, ...rest } = await appendComment(engine, caller, input, repeat);
  return { value: commentView(value), ...rest };
}
