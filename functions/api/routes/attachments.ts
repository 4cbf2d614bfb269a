/** The files of a card. */
import { CreateAttachmentBody, ListAttachmentsQuery } from '../../../shared/schemas/attachments.ts';
import { createAttachment } from '../../../shared/verbs/create-attachment.ts';
import { deleteAttachment } from '../../../shared/verbs/delete-attachment.ts';
import { listAttachments } from '../../../shared/verbs/list-attachments.ts';
import { repeatableRoute, route, type Route } from '../../http/route.ts';

const ATTACHMENTS = '/v1/cards/{card}/attachments';

export const attachmentRoutes: readonly Route[] = [
  // A worker may attach to the card that it holds; the verb asks whether it does.
  repeatableRoute({
    method: 'POST',
    path: ATTACHMENTS,
    scope: 'worker',
    body: CreateAttachmentBody,
    status: 201,
    verb: createAttachment,
  }),
  route({
    method: 'GET',
    path: ATTACHMENTS,
    scope: 'worker',
    query: ListAttachmentsQuery,
    verb: listAttachments,
  }),
  route({
    method: 'DELETE',
    path: `${ATTACHMENTS}/{attachment}`,
    scope: 'member',
    status: 204,
    verb: deleteAttachment,
  }),
];
