/** What the holder of a lease does, and what others may see of it. */
import type { RenewBatchItem } from '../../client/routes/leases.ts';
import { exitCodeOfRows } from '../exit-codes.ts';
import { field } from '../fields.ts';
import type { Noun, Verb } from '../verb.ts';
import { REASON } from './card-fields.ts';

const WHY = { ...REASON, required: true };

const readers: readonly Verb[] = [
  {
    name: 'list',
    operations: ['listLeases'],
    summary: 'Leases that are held now',
    fields: [
      field('state', 'text', 'living, or over and not yet taken', { choices: ['active', 'expired'] }),
      field('column', 'column', 'in this column'),
      field('of', 'text', 'of this agent', { name: 'agent' }),
    ],
    columns: ['id', 'agent', 'card_id', 'attempt', 'expires_at', 'progress', 'note'],
    paged: true,
    example: '--board newsroom --state expired',
    run: async ({ client, board, input, options }) => client.leases.list(board, input, options),
  },
  {
    name: 'show',
    aliases: ['get'],
    operations: ['getLease'],
    summary: 'One lease, held or ended',
    args: ['<lease>'],
    example: 'lse_...',
    run: async ({ client, args, options }) => client.leases.get(args['lease'] ?? '', options),
  },
];

const keepers: readonly Verb[] = [
  {
    name: 'renew',
    aliases: ['heartbeat'],
    operations: ['renewLease', 'heartbeatLease'],
    summary: 'Push the deadline, and hear whether to stop',
    args: ['[lease]'],
    fields: [
      field('progress', 'number', 'per cent done'),
      field('note', 'text', 'what goes on'),
      field('checkpoint', 'text', 'for whoever comes after a crash (text, @FILE or -)'),
      field('lease-ttl-seconds', 'number', 'for how long'),
    ],
    holder: 'goes on',
    example: 'lse_... --progress 50 --note "half way"',
    run: async ({ client, args, input, options }) => client.leases.renew(args['lease'] ?? '', input, options),
  },
  {
    name: 'renew-batch',
    operations: ['renewLeases'],
    summary: 'Renew up to a hundred leases',
    data: true,
    example: '--data @leases.json',
    run: async ({ client, input, options }) =>
      client.leases.renewBatch((input as { leases: RenewBatchItem[] }).leases, options),
    exitCode: (answer) => exitCodeOfRows(answer as never),
  },
];

const endings: readonly Verb[] = [
  {
    name: 'complete',
    operations: ['completeLease'],
    summary: 'The work is done',
    args: ['[lease]'],
    fields: [
      field('output', 'json', 'the result'),
      field('summary', 'text', 'how it went'),
      field('metadata', 'json', 'what else to keep of the run'),
      field('properties', 'json', 'merged into those of the card'),
      field('to', 'column', 'where the card goes', { name: 'column_id' }),
      field('artifact', 'list', 'an attachment that must be there', { name: 'artifacts' }),
      field('created-card', 'cards', 'a card that came of it', { name: 'created_cards' }),
    ],
    holder: 'ends',
    example: `lse_... --output '{"url": "https://example.com/1"}'`,
    run: async ({ client, args, input, options }) =>
      client.leases.complete(args['lease'] ?? '', input, options),
  },
  {
    name: 'fail',
    operations: ['failLease'],
    summary: 'This attempt did not work',
    args: ['[lease]'],
    fields: [
      WHY,
      field('kind', 'text', 'what kind of failure', {
        choices: ['error', 'rate_limited', 'timeout', 'invalid_input'],
      }),
      field('retryable', 'flag', '--no-retryable: it is dead now'),
      field('retry-after-seconds', 'number', 'not again before'),
      field('metadata', 'json', 'what else to keep of the run'),
    ],
    holder: 'ends',
    example: 'lse_... --reason "the model was overloaded" --kind rate_limited',
    run: async ({ client, args, input, options }) => client.leases.fail(args['lease'] ?? '', input, options),
  },
  {
    name: 'release',
    operations: ['releaseLease'],
    summary: 'Give the card back; no attempt is used up',
    args: ['[lease]'],
    fields: [field('note', 'text', 'why')],
    holder: 'ends',
    example: 'lse_...',
    run: async ({ client, args, input, options }) =>
      client.leases.release(args['lease'] ?? '', input, options),
  },
  {
    name: 'block',
    operations: ['blockLease'],
    summary: 'The work cannot go on without help',
    args: ['[lease]'],
    fields: [
      WHY,
      field('kind', 'text', 'what is missing', {
        choices: ['needs_input', 'capability', 'transient', 'dependency'],
      }),
    ],
    holder: 'ends',
    example: 'lse_... --reason "Which repository?" --kind needs_input',
    run: async ({ client, args, input, options }) => client.leases.block(args['lease'] ?? '', input, options),
  },
  {
    name: 'request-review',
    operations: ['requestReview'],
    summary: 'The work is there to be looked at',
    args: ['[lease]'],
    fields: [
      field('summary', 'text', 'what to look at', { required: true }),
      field('reviewer', 'text', 'by whom'),
      field('metadata', 'json', 'what else to keep of the run'),
    ],
    holder: 'ends',
    example: 'lse_... --summary "Drafted; see the attachment"',
    run: async ({ client, args, input, options }) =>
      client.leases.requestReview(args['lease'] ?? '', input, options),
  },
  {
    name: 'request-changes',
    operations: ['requestChanges'],
    summary: 'A reviewer sends it back to its implementer',
    args: ['[lease]'],
    fields: [WHY],
    holder: 'ends',
    example: 'lse_... --reason "The second link is dead"',
    run: async ({ client, args, input, options }) =>
      client.leases.requestChanges(args['lease'] ?? '', input, options),
  },
];

export const leases: Noun = {
  name: 'lease',
  summary: 'Keeping a lease, and ending it with a result',
  verbs: [...readers, ...keepers, ...endings],
};
