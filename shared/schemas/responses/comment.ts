/** Comments as the API answers them. */
import * as z from 'zod';
import { text, Time } from './parts.ts';

export const CommentAnswer = z
  .object({
    id: text,
    author: text,
    body: text.meta({ description: 'Markdown' }),
    mentions: z.array(text).meta({ description: 'Names that it calls with `@`' }),
    created_at: Time,
  })
  .meta({ id: 'Comment' });
