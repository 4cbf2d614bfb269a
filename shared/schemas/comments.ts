/** What the comment verbs take. */
import * as z from 'zod';
import { LIMITS } from '../policy.ts';
import { LeaseToken } from './leases.ts';
import { paging } from './paging.ts';
import { utf8 } from './text.ts';

export const CreateCommentBody = z.strictObject({
  /** Markdown. */
  body: utf8(LIMITS.commentBytes).regex(/\S/, 'must have a character other than spaces'),
  lease_token: LeaseToken.optional(),
});
export type CreateCommentBody = z.infer<typeof CreateCommentBody>;

export const ListCommentsQuery = z.strictObject(paging);
export type ListCommentsQuery = z.infer<typeof ListCommentsQuery>;
