/** The stored shape of attachments: a row under the card for each file in the bucket. */
import * as z from 'zod';
import { ActorSchema } from './items.ts';

/** ATTACHMENT. The file may still be missing: whoever asks looks for it, and notes that it is there. */
export const AttachmentSchema = z.object({
  pk: z.string(),
  sk: z.string(),
  v: z.number(),
  board_id: z.string(),
  id: z.string(),
  name: z.string(),
  content_type: z.string(),
  size: z.number(),
  by: ActorSchema,
  /** The place of its event in the card's sequence. */
  sequence: z.number(),
  created_at: z.number(),
  /** The file was seen in the bucket, whole. */
  uploaded: z.literal(true).optional(),
});
export type AttachmentItem = z.infer<typeof AttachmentSchema>;
