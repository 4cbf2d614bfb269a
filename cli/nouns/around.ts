/** What hangs on a card: comments, links, files. */
import { field } from '../fields.ts';
import type { Verb } from '../verb.ts';
import { attachFile } from '../files/attach.ts';

const ENDS = [
  field('parent', 'card', 'the card that must be done first', { name: 'parent_id' }),
  field('child', 'card', 'the card that waits for this one', { name: 'child_id' }),
];

const thread: readonly Verb[] = [
  {
    name: 'comment',
    operations: ['createComment'],
    summary: 'Append to its thread',
    args: ['<card>', '<text>'],
    keyed: true,
    asHolder: true,
    example: 'NEWSR-1 "Mind the deadline, @drafter-1"',
    run: async ({ client, args, options }) =>
      client.comments.create(args['card'] ?? '', args['text'] ?? '', options),
  },
  {
    name: 'comments',
    operations: ['listComments'],
    summary: 'Its thread, oldest first',
    args: ['<card>'],
    columns: ['created_at', 'author', 'body'],
    paged: true,
    example: 'NEWSR-1 --all',
    run: async ({ client, args, input, options }) => client.comments.list(args['card'] ?? '', input, options),
  },
];

const links: readonly Verb[] = [
  {
    name: 'link',
    operations: ['linkCards'],
    summary: 'Let one card wait for another',
    args: ['<card>'],
    fields: ENDS,
    keyed: true,
    asHolder: true,
    example: 'NEWSR-2 --parent NEWSR-1',
    run: async ({ client, args, input, options }) => client.links.create(args['card'] ?? '', input, options),
  },
  {
    name: 'unlink',
    operations: ['unlinkCards'],
    summary: 'Let it wait no longer',
    args: ['<card>'],
    fields: ENDS,
    asHolder: true,
    example: 'NEWSR-2 --parent NEWSR-1',
    run: async ({ client, args, input, options }) => client.links.delete(args['card'] ?? '', input, options),
  },
  {
    name: 'links',
    operations: ['listLinks'],
    summary: 'What blocks it, and what it blocks',
    args: ['<card>'],
    example: 'NEWSR-2',
    run: async ({ client, args, options }) => client.links.list(args['card'] ?? '', options),
  },
];

const attachments: readonly Verb[] = [
  {
    name: 'attach',
    operations: ['createAttachment'],
    summary: 'Attach a file, or what is at an address',
    args: ['<card>'],
    fields: [
      field('file', 'text', 'path of the file'),
      field('from-url', 'text', 'address to fetch it from'),
      field('name', 'text', 'what it is called; default: as the file'),
      field('content-type', 'text', 'default: application/octet-stream'),
    ],
    keyed: true,
    asHolder: true,
    example: 'NEWSR-1 --file report.pdf --content-type application/pdf',
    run: async (call) => attachFile(call, call.args['card'] ?? ''),
  },
  {
    name: 'attachments',
    operations: ['listAttachments'],
    summary: 'Its files, with addresses to download them from',
    args: ['<card>'],
    columns: ['name', 'content_type', 'size', 'author', 'id'],
    paged: true,
    example: 'NEWSR-1',
    run: async ({ client, args, input, options }) =>
      client.attachments.list(args['card'] ?? '', input, options),
  },
  {
    name: 'detach',
    operations: ['deleteAttachment'],
    summary: 'Remove a file',
    args: ['<card>', '<attachment>'],
    asHolder: true,
    example: 'NEWSR-1 att_...',
    run: async ({ client, args, options }) =>
      client.attachments.delete(args['card'] ?? '', args['attachment'] ?? '', options),
  },
];

export const aroundVerbs: readonly Verb[] = [...thread, ...links, ...attachments];
