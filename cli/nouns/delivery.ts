/** Events, and the webhooks that push them. */
import { field } from '../fields.ts';
import type { Noun, Verb } from '../verb.ts';

const ORDER = field('order', 'text', 'which first; default: the oldest', { choices: ['oldest', 'newest'] });
const TYPES = field('type', 'list', 'only this type of events', { name: 'types' });

const SETTINGS = [TYPES, field('description', 'text', 'what it is for')];

const life: readonly Verb[] = [
  {
    name: 'create',
    operations: ['createWebhook'],
    summary: 'Create a webhook; its secret is shown now and never again',
    fields: [
      field('to', 'text', 'where to', { name: 'url', required: true }),
      ...SETTINGS,
      field('card', 'card', 'events of this card only', { name: 'card_id' }),
      field('include-children', 'flag', 'with --card: of its children and sub-cards too'),
      field('since', 'time', 'events since then too'),
    ],
    example: '--board newsroom --to https://example.com/hook --type card.lease.deadlettered',
    run: async ({ client, board, input, options }) => client.webhooks.create(board, input, options),
  },
  {
    name: 'list',
    operations: ['listWebhooks'],
    summary: 'Webhooks of a board',
    columns: ['id', 'url', 'enabled', 'disabled_reason', 'failing_since'],
    paged: true,
    example: '--board newsroom',
    run: async ({ client, board, input, options }) => client.webhooks.list(board, input, options),
  },
  {
    name: 'show',
    aliases: ['get'],
    operations: ['getWebhook'],
    summary: 'One webhook',
    args: ['<webhook>'],
    example: 'whk_...',
    run: async ({ client, board, args, options }) =>
      client.webhooks.get(board, args['webhook'] ?? '', options),
  },
  {
    name: 'edit',
    aliases: ['update'],
    operations: ['patchWebhook'],
    summary: 'Change where it goes, what it gets, or whether it gets anything',
    args: ['<webhook>'],
    fields: [
      field('to', 'text', 'where to', { name: 'url' }),
      ...SETTINGS,
      field('enabled', 'flag', '--no-enabled: it gets nothing'),
    ],
    clear: true,
    example: 'whk_... --no-enabled',
    run: async ({ client, board, args, input, options }) =>
      client.webhooks.update(board, args['webhook'] ?? '', input, options),
  },
  {
    name: 'delete',
    operations: ['deleteWebhook'],
    summary: 'Delete a webhook',
    args: ['<webhook>'],
    confirm: true,
    example: 'whk_... --confirm whk_...',
    run: async ({ client, board, args, options }) =>
      client.webhooks.delete(board, args['webhook'] ?? '', options),
  },
  {
    name: 'enable',
    operations: ['enableWebhook'],
    summary: 'Turn it on again',
    args: ['<webhook>'],
    example: 'whk_...',
    run: async ({ client, board, args, options }) =>
      client.webhooks.enable(board, args['webhook'] ?? '', options),
  },
  {
    name: 'rotate-secret',
    operations: ['rotateSecret'],
    summary: 'A new secret, shown now and never again; the one before signs beside it for a while',
    args: ['<webhook>'],
    fields: [
      field('grace-seconds', 'number', 'for how long'),
      field('force', 'flag', 'also while an earlier one still signs'),
    ],
    example: 'whk_... --grace-seconds 3600',
    run: async ({ client, board, args, input, options }) =>
      client.webhooks.rotateSecret(board, args['webhook'] ?? '', input, options),
  },
];

const sending: readonly Verb[] = [
  {
    name: 'test',
    operations: ['testWebhook'],
    summary: 'Send it a test event, and see how it went',
    args: ['<webhook>'],
    example: 'whk_...',
    run: async ({ client, board, args, options }) =>
      client.webhooks.test(board, args['webhook'] ?? '', options),
  },
  {
    name: 'deliveries',
    operations: ['listDeliveries'],
    summary: 'What was sent to it, the latest event first',
    args: ['<webhook>'],
    fields: [
      field('status', 'text', 'with this status', {
        choices: ['pending', 'delivered', 'failed', 'exhausted', 'aborted'],
      }),
    ],
    columns: ['id', 'type', 'status', 'created_at', 'next_attempt_at'],
    paged: true,
    example: 'whk_... --status failed',
    run: async ({ client, board, args, input, options }) =>
      client.webhooks.deliveries(board, args['webhook'] ?? '', input, options),
  },
  {
    name: 'redeliver',
    operations: ['redeliver'],
    summary: 'Send a delivery once more, the same to the byte',
    args: ['<delivery>'],
    example: 'dlv_...',
    run: async ({ client, args, options }) => client.webhooks.redeliver(args['delivery'] ?? '', options),
  },
  {
    name: 'recover',
    operations: ['recover'],
    summary: 'Send again what it has not got since a time',
    args: ['<webhook>'],
    fields: [field('since', 'time', 'since when', { required: true })],
    example: 'whk_... --since 2026-05-01T09:00:00Z',
    run: async ({ client, board, args, input, options }) =>
      client.webhooks.recover(board, args['webhook'] ?? '', (input as { since: string }).since, options),
  },
];

export const webhooks: Noun = {
  name: 'webhook',
  summary: 'Events sent to an address, signed, until they arrive',
  verbs: [...life, ...sending],
};

export const events: Noun = {
  name: 'event',
  summary: 'What has happened, in order and nothing skipped; `leaseboard watch` follows it',
  verbs: [
    {
      name: 'list',
      operations: ['listEvents'],
      summary: 'A page of the feed of a board, from a cursor on',
      fields: [
        field('since', 'text', 'cursor of the page before; default: the oldest kept'),
        TYPES,
        ORDER,
        field('wait-seconds', 'number', 'let the server wait for one, 0 to 20'),
        field('limit', 'number', 'at most so many'),
      ],
      example: '--board newsroom --type card.created --json',
      run: async ({ client, board, input, options }) => client.events.list(board, input, options),
    },
  ],
};
