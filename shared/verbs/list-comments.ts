/** The comments of a card, oldest first. */
import * as z from 'zod';
import { findJob } from '../cards/read.ts';
import { commentView, type CommentView } from '../comments/view.ts';
import { makeListCursor, readListCursor } from '../list-cursor.ts';
import type { Caller, Engine } from '../engine.ts';
import { ANSWER_BYTES } from '../policy.ts';
import type { ListCommentsQuery } from '../schemas/comments.ts';
import { CommentSchema } from '../store/items.ts';
import { COMMENT_PREFIX, commentKey } from '../store/keys.ts';
import { jsonBytes } from '../text.ts';

const Sequence = z.number().int().min(1);

/** A page may be short where its comments are long. */
export async function listComments(
  engine: Engine,
  caller: Caller,
  input: ListCommentsQuery & { card: string },
): Promise<{ items: CommentView[]; next_cursor: string | null }> {
  const { pk } = await findJob(engine, caller, input.card);
  const list = `comments ${pk}`;
  const after = input.cursor === undefined ? undefined : readListCursor(engine, list, input.cursor, Sequence);
  const page = await engine.store.query({
    pk: { name: 'pk', value: pk },
    sk: { name: 'sk', prefix: COMMENT_PREFIX },
    limit: input.limit,
    consistent: true,
    ...(after === undefined ? {} : { start: { ...commentKey(pk, after) } }),
  });
  const items: CommentView[] = [];
  let last = after;
  let bytes = 0;
  for (const item of page.items) {
    if (bytes >= ANSWER_BYTES) return { items, next_cursor: makeListCursor(engine, list, last) };
    const view = commentView(CommentSchema.parse(item));
    items.push(view);
    bytes += jsonBytes(view);
    last = Number(String(item['sk']).slice(COMMENT_PREFIX.length));
  }
  return { items, next_cursor: page.next === undefined ? null : makeListCursor(engine, list, last) };
}
