/** What a worker should have read before it starts, as the API answers it. */
import * as z from 'zod';
import { RUN_OUTCOMES } from '../../model/states.ts';
import { count, text, textOrNull, Time, TimeOrNull } from './parts.ts';

export const ContextAnswer = z
  .object({
    text: text.meta({ description: 'All of it as one markdown text, to be put before a model' }),
    sections: z.object({
      card: z.object({ id: text, key: text, title: text, body: text }),
      abandoned_by: z.object({ agent: text, attempt: count, at: Time, checkpoint: textOrNull }).nullable(),
      parents: z.array(
        z.object({
          card_id: text,
          key: text,
          title: text,
          agent: textOrNull,
          summary: textOrNull,
          metadata: z.unknown(),
          completed_at: TimeOrNull,
        }),
      ),
      attempts: z.array(
        z.object({
          number: count,
          agent: textOrNull,
          outcome: z.enum(RUN_OUTCOMES),
          summary: textOrNull,
          error: textOrNull,
          metadata: z.unknown(),
          ended_at: TimeOrNull,
        }),
      ),
      comments: z.array(z.object({ author: text, body: text, created_at: Time })),
      attachments: z.array(z.object({ id: text, name: text, content_type: text, size: count })),
    }),
    truncated: z
      .array(text)
      .meta({ description: 'What was cut or left out, in words; empty when nothing was' }),
  })
  .meta({ id: 'Context' });
