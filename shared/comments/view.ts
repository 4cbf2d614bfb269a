/** A comment as the API shows it. */
import type { CommentItem } from '../store/items.ts';
import { iso } from '../views/time.ts';

export function commentView(comment: CommentItem) {
  return {
    id: comment.id,
    author: comment.by.id,
    body: comment.body,
    mentions: comment.mentions,
    created_at: iso(comment.created_at),
  };
}
export type CommentView = ReturnType<typeof commentView>;
