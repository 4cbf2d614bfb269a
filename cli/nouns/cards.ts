/** Cards: creating, finding and changing them. */
import type { CardInput } from '../../client/index.ts';
import { exitCodeOfRows } from '../exit-codes.ts';
import { field } from '../fields.ts';
import type { Verb } from '../verb.ts';
import { CARD_COLUMNS, CARD_FIELDS, FORCE } from './card-fields.ts';

const STATES = ['idle', 'waiting', 'ready', 'leased', 'blocked', 'done', 'dead', 'archived'];

const PLACE = [
  field('column', 'column', 'to this column', { name: 'column_id' }),
  field('before', 'card', 'above this card'),
  field('after', 'card', 'below this card'),
  field('top', 'flag', 'first of the column'),
  field('bottom', 'flag', 'last of the column'),
];

const makers: readonly Verb[] = [
  {
    name: 'create',
    operations: ['createCard'],
    summary: 'Create a card at the bottom of a column',
    fields: [
      ...CARD_FIELDS,
      field('column', 'column', 'where it stands', { name: 'column_id' }),
      field('dedupe-key', 'text', 'an open card with this key is answered instead'),
      field('parent', 'cards', 'a card that must be done first', { name: 'parents' }),
    ],
    data: true,
    keyed: true,
    asHolder: true,
    example: '--board newsroom --column Ready --title "Draft the release notes" --priority 7',
    run: async ({ client, board, input, options }) => client.cards.create(board, input, options),
  },
  {
    name: 'create-batch',
    operations: ['createCards'],
    summary:
      'Create up to a hundred cards, each row by itself; `leaseboard import` takes files of any length',
    data: true,
    keyed: true,
    example: `--board newsroom --data '{"cards": [{"title": "One"}, {"title": "Two"}]}'`,
    run: async ({ client, board, input, options }) =>
      client.cards.createBatch(board, (input as { cards: CardInput[] }).cards, options),
    exitCode: (answer) => exitCodeOfRows(answer as never),
  },
  {
    name: 'decompose',
    operations: ['decomposeCard'],
    summary: 'Break a card down into sub-cards, which it then waits for',
    args: ['<card>'],
    data: true,
    keyed: true,
    asHolder: true,
    example: `NEWSR-1 --data '{"cards": [{"ref": "a", "title": "First part"}], "links": []}'`,
    run: async ({ client, args, input, options }) =>
      client.cards.decompose(args['card'] ?? '', input, options),
  },
];

const readers: readonly Verb[] = [
  {
    name: 'list',
    operations: ['listCards'],
    summary: 'Cards of a board or a column',
    fields: [
      field('column', 'column', 'in this column'),
      field('state', 'text', 'in this state', { choices: STATES }),
      field('assignee', 'text', 'of this agent or person'),
      field('tenant', 'text', 'of this tenant'),
      field('label', 'text', 'with this label'),
      field('workflow-template-id', 'text', 'of this workflow'),
      field('current-step-key', 'text', 'at this step of it'),
      field('search', 'text', 'words of title and key', { name: 'q' }),
      field('sort', 'text', 'in which order', { choices: ['created', 'priority'] }),
      field('archived', 'flag', 'those that were put away'),
    ],
    columns: CARD_COLUMNS,
    paged: true,
    example: '--board newsroom --column Ready --state dead',
    run: async ({ client, board, input, options }) => client.cards.list(board, input, options),
  },
  {
    name: 'show',
    aliases: ['get'],
    operations: ['getCard'],
    summary: 'The whole card',
    args: ['<card>'],
    example: 'NEWSR-1 --board newsroom',
    run: async ({ client, args, options }) => client.cards.get(args['card'] ?? '', options),
  },
  {
    name: 'context',
    operations: ['getContext'],
    summary: 'What a worker should have read before it begins',
    args: ['<card>'],
    example: 'NEWSR-1',
    run: async ({ session, client, args, options }) => {
      const context = await client.cards.context(args['card'] ?? '', options);
      return session.output.json ? context : context.text;
    },
  },
  {
    name: 'runs',
    operations: ['listRuns'],
    summary: 'Every attempt at a card',
    args: ['<card>'],
    columns: ['number', 'attempt', 'agent', 'outcome', 'started_at', 'ended_at', 'error'],
    paged: true,
    example: 'NEWSR-1',
    run: async ({ client, args, input, options }) => client.cards.runs(args['card'] ?? '', input, options),
  },
  {
    name: 'events',
    aliases: ['log'],
    operations: ['listCardEvents'],
    summary: 'What has happened to a card',
    args: ['<card>'],
    fields: [field('order', 'text', 'which first; default: the oldest', { choices: ['oldest', 'newest'] })],
    columns: ['sequence', 'timestamp', 'type', 'actor.id'],
    paged: true,
    example: 'NEWSR-1 --all',
    run: async ({ client, args, input, options }) => client.cards.events(args['card'] ?? '', input, options),
  },
];

const changers: readonly Verb[] = [
  {
    name: 'edit',
    aliases: ['update'],
    operations: ['patchCard'],
    summary: 'Change what people set on a card',
    args: ['<card>'],
    fields: CARD_FIELDS,
    data: true,
    clear: true,
    asHolder: true,
    ifRev: true,
    example: 'NEWSR-1 --priority 9 --clear assignee',
    run: async ({ client, args, input, options }) => client.cards.update(args['card'] ?? '', input, options),
  },
  {
    name: 'schedule',
    operations: ['patchCard'],
    summary: 'Offer a card not before a time',
    args: ['<card>'],
    fields: [field('at', 'time', 'when', { name: 'scheduled_at', required: true })],
    example: 'NEWSR-1 --at +2h',
    run: async ({ client, args, input, options }) => client.cards.update(args['card'] ?? '', input, options),
  },
  {
    name: 'set-model',
    operations: ['patchCard'],
    summary: 'Say which model is to work on a card; "none" takes it back',
    args: ['<card>', '<model>'],
    fields: [field('provider', 'text', 'whose model it is')],
    example: 'NEWSR-1 small-model --provider somebody',
    run: async ({ client, args, input, options }) => {
      const name = args['model'] ?? '';
      const model = name === 'none' ? null : { name, ...(input as { provider?: string }) };
      return client.cards.update(args['card'] ?? '', { model }, options);
    },
  },
  {
    name: 'move',
    operations: ['moveCard'],
    summary: 'To another column, or another place in its own',
    args: ['<card>'],
    fields: [...PLACE, ...FORCE],
    example: 'NEWSR-1 --column Ready --top',
    run: async ({ client, args, input, options }) => client.cards.move(args['card'] ?? '', input, options),
  },
  {
    name: 'bulk',
    operations: ['bulkCards'],
    summary: 'Do the same to up to a hundred cards',
    fields: [
      field('card', 'cards', 'one of them', { name: 'ids' }),
      field('verb', 'text', 'what to do', {
        choices: ['archive', 'delete', 'complete', 'block', 'unblock', 'redrive'],
      }),
      ...FORCE,
    ],
    data: true,
    example: '--card NEWSR-1 --card NEWSR-2 --verb archive',
    run: async ({ client, board, input, options }) => client.cards.bulk(board, input, options),
    exitCode: (answer) => exitCodeOfRows(answer as never),
  },
  {
    name: 'delete',
    operations: ['deleteCard'],
    summary: 'Delete a card for good',
    args: ['<card>'],
    fields: FORCE,
    confirm: true,
    example: 'NEWSR-1 --confirm NEWSR-1',
    run: async ({ client, args, input, options }) => client.cards.delete(args['card'] ?? '', input, options),
  },
];

export const cardVerbs: readonly Verb[] = [...makers, ...readers, ...changers];
