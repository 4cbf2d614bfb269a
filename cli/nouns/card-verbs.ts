/** What a person or an orchestrator does to a card, without a lease. */
import type { Card } from '../../client/index.ts';
import { field } from '../fields.ts';
import type { Verb, VerbCall } from '../verb.ts';
import { FORCE, REASON } from './card-fields.ts';

type CardCall = (call: VerbCall, card: string) => Promise<Card>;

/** A verb on one card. */
function onCard(
  name: string,
  operation: string,
  summary: string,
  call: CardCall,
  more: Partial<Verb> = {},
): Verb {
  return {
    name,
    operations: [operation],
    summary,
    args: ['<card>'],
    example: 'NEWSR-1 --board newsroom',
    run: async (verbCall) => call(verbCall, verbCall.args['card'] ?? ''),
    ...more,
  };
}

const BLOCK_KINDS = ['needs_input', 'capability', 'transient', 'dependency'];
const WHY = { ...REASON, required: true };

export const supervisionVerbs: readonly Verb[] = [
  onCard(
    'complete',
    'completeCard',
    'Say that it is done, nobody holding it',
    async ({ client, input, options }, card) => client.cards.complete(card, input, options),
    {
      fields: [
        field('summary', 'text', 'how it went'),
        field('output', 'json', 'the result'),
        field('metadata', 'json', 'what else to keep'),
      ],
      example: 'NEWSR-1 --summary "Done by hand"',
    },
  ),
  onCard(
    'block',
    'blockCard',
    'Stop it, saying what it needs',
    async ({ client, input, options }, card) => client.cards.block(card, input, options),
    {
      fields: [WHY, field('kind', 'text', 'what is missing', { choices: BLOCK_KINDS })],
      example: 'NEWSR-1 --reason "Which repository?" --kind needs_input',
    },
  ),
  onCard(
    'unblock',
    'unblockCard',
    'Let it go on where it was stopped',
    async ({ client, input, options }, card) => client.cards.unblock(card, input, options),
    { fields: [REASON], example: 'NEWSR-1 --reason "The repository is there now"' },
  ),
  onCard(
    'hold',
    'holdCard',
    'Offer it to nobody for now',
    async ({ client, input, options }, card) => client.cards.hold(card, input, options),
    { fields: [REASON], example: 'NEWSR-1 --reason "Not before the release"' },
  ),
  onCard(
    'unhold',
    'unholdCard',
    'Offer it again',
    async ({ client, input, options }, card) => client.cards.unhold(card, input, options),
    { fields: [REASON] },
  ),
  onCard(
    'promote',
    'promoteCard',
    'Have it offered at once: a draft, a held or a scheduled card',
    async ({ client, options }, card) => client.cards.promote(card, options),
  ),
  onCard(
    'assign',
    'assignCard',
    'Say who is to work on it',
    async ({ client, args, input, options }, card) => {
      const agent = args['agent'] ?? '';
      return client.cards.assign(card, agent === 'none' ? null : agent, input, options);
    },
    {
      aliases: ['reassign'],
      args: ['<card>', '<agent>'],
      fields: FORCE,
      example: 'NEWSR-1 drafter-2',
    },
  ),
  onCard(
    'reopen',
    'reopenCard',
    'Take a card that is done up again',
    async ({ client, input, options }, card) => client.cards.reopen(card, input, options),
    {
      fields: [REASON, field('column', 'column', 'where it goes', { name: 'column_id' })],
      example: 'NEWSR-1 --column Ready --reason "The link is dead"',
    },
  ),
  onCard(
    'reopen-review',
    'reopenReview',
    'Send it back from review to its implementer',
    async ({ client, input, options }, card) => client.cards.reopenReview(card, input, options),
    { fields: [REASON], example: 'NEWSR-1 --reason "The ending is missing"' },
  ),
  onCard(
    'archive',
    'archiveCard',
    'Put it away',
    async ({ client, input, options }, card) => client.cards.archive(card, input, options),
    { fields: FORCE },
  ),
  onCard('unarchive', 'unarchiveCard', 'Get it back', async ({ client, options }, card) =>
    client.cards.unarchive(card, options),
  ),
  onCard(
    'redrive',
    'redriveCard',
    'Give a dead card its attempts again',
    async ({ client, input, options }, card) => client.cards.redrive(card, input, options),
    { fields: [REASON] },
  ),
  onCard(
    'request-cancel',
    'requestCancel',
    'Ask its worker to stop, at the next heartbeat',
    async ({ client, input, options }, card) =>
      client.cards.requestCancel(card, (input as { reason: string }).reason, options),
    { aliases: ['cancel'], fields: [WHY], example: 'NEWSR-1 --reason "Not needed any more"' },
  ),
  onCard(
    'reclaim',
    'reclaimCard',
    'Take it from its worker; it goes back to its queue',
    async ({ client, input, options }, card) =>
      client.cards.reclaim(card, (input as { reason: string }).reason, options),
    { fields: [WHY], example: 'NEWSR-1 --reason "drafter-1 was shut down"' },
  ),
];
