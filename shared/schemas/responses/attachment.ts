/** Attachments as the API answers them. */
import * as z from 'zod';
import { count, text, textOrNull, Time, TimeOrNull } from './parts.ts';

const common = {
  id: text,
  name: text.meta({ description: 'The last part of the name sent, safe to save under, once per card' }),
  content_type: text,
  size: count.meta({ description: 'Bytes' }),
  uploaded: z.boolean().meta({ description: 'The file is there' }),
  author: text,
  created_at: Time,
};

export const CreatedAttachmentAnswer = z
  .object({
    ...common,
    upload_url: textOrNull.meta({ description: 'PUT the file here; null when it is there' }),
    upload_headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Headers that the PUT must have, as they are' }),
    expires_at: TimeOrNull.meta({ description: 'Until when the upload may begin' }),
  })
  .meta({ id: 'CreatedAttachment' });

export const AttachmentAnswer = z
  .object({
    ...common,
    download_url: textOrNull.meta({ description: 'GET the file here; null while it is not there' }),
    expires_at: TimeOrNull.meta({ description: 'Until when the download may begin' }),
  })
  .meta({ id: 'Attachment' });
