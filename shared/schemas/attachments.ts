/** What the attachment verbs take. */
import * as z from 'zod';
import {
  CONTENT_TYPE_BYTES,
  FILE_BYTES,
  INLINE_BYTES,
  SENT_NAME_BYTES,
  SOURCE_URL_BYTES,
} from '../attachments/policy.ts';
import { LeaseToken } from './leases.ts';
import { paging } from './paging.ts';
import { utf8 } from './text.ts';

/** A media type with its parameters; it becomes a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=(?:[\w.+/:-]+|"[\w .+/:-]*"))*$/;
export const ContentType = z
  .string()
  .max(CONTENT_TYPE_BYTES)
  .regex(MEDIA_TYPE, 'must be a media type, as text/markdown; charset=utf-8');

/** Standard alphabet, padded (RFC 4648, section 4). */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const Base64 = z
  .string()
  .refine((text) => BASE64.test(text), { message: 'must be base64, padded with =' })
  .refine((text) => Buffer.byteLength(text, 'base64') <= INLINE_BYTES, {
    message: `must hold at most ${INLINE_BYTES} bytes`,
  });

/** One of `size`, `content_base64` and `from_url` says where the file comes from. */
export const CreateAttachmentBody = z
  .strictObject({
    name: utf8(SENT_NAME_BYTES, 1).optional(),
    content_type: ContentType.optional(),
    /** Bytes of a file that is uploaded afterwards. */
    size: z.int().min(0).max(FILE_BYTES).optional(),
    content_base64: Base64.optional(),
    from_url: utf8(SOURCE_URL_BYTES, 1).optional(),
    lease_token: LeaseToken.optional(),
  })
  .superRefine(({ name, content_type, size, content_base64, from_url }, context) => {
    const sources = [size, content_base64, from_url].filter((source) => source !== undefined);
    if (sources.length !== 1) {
      const message = 'give one of size (to upload the file afterwards), content_base64 and from_url';
      context.addIssue({ code: 'custom', message });
    }
    if (sources.length !== 1 || from_url !== undefined) return;
    for (const [field, value] of Object.entries({ name, content_type })) {
      if (value === undefined) context.addIssue({ code: 'custom', path: [field], message: 'is needed' });
    }
  });
export type CreateAttachmentBody = z.infer<typeof CreateAttachmentBody>;

export const ListAttachmentsQuery = z.strictObject(paging);
export type ListAttachmentsQuery = z.infer<typeof ListAttachmentsQuery>;
