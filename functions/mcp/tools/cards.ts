/** Tools for cards: to find and read them, to make, change and delete them. */
import { ADDS, DESTROYS, READS, SETS, type ToolRow } from '../tool.ts';

const CARDS = '/v1/boards/{board}/cards';
const CARD = '/v1/cards/{card}';

export const cardTools: readonly ToolRow[] = [
  {
    name: 'get_card',
    route: `GET ${CARD}`,
    hints: READS,
    untrusted: true,
    description: 'The whole card: body, properties, state, who holds it, output, and rev to change it by.',
  },
  {
    name: 'list_cards',
    route: `GET ${CARDS}`,
    hints: READS,
    untrusted: true,
    description:
      'Cards of a board or of one column, without bodies. Filter by state, assignee, tenant or label; q searches ' +
      'titles and keys; sort: "priority" with a column_id is the order in which they are claimed.',
  },
  {
    name: 'create_card',
    route: `POST ${CARDS}`,
    hints: ADDS,
    untrusted: true,
    description:
      'Put a new card at the bottom of a column; in a queue column a worker will take it. With a dedupe_key, an ' +
      'open card of the same key is answered instead (deduplicated: true).',
  },
  {
    name: 'create_cards',
    route: `POST ${CARDS}:batch`,
    hints: ADDS,
    untrusted: true,
    description:
      'Create up to 100 cards in one call, each {title, ...} as create_card takes it. Answers one row for each, in ' +
      'order: the card, or why it was refused; a refused one stops no other.',
  },
  {
    name: 'update_card',
    route: `PATCH ${CARD}`,
    hints: SETS,
    untrusted: true,
    description:
      'Change what people set on a card: title, body, properties (merged key by key, null removes), priority, ' +
      'assignee, labels. With if_rev (the rev that you read) nobody else’s edit is overwritten. A worker changes ' +
      'the card that it holds, with its lease_token.',
  },
  {
    name: 'list_runs',
    route: `GET ${CARD}/runs`,
    hints: READS,
    untrusted: true,
    description:
      'Every attempt at a card, oldest first: by whom, how it ended, summary, error and checkpoint. Read it before ' +
      'you try what another has failed at.',
  },
  {
    name: 'get_run',
    route: 'GET /v1/runs/{run}',
    hints: READS,
    untrusted: true,
    description: 'One attempt at a card.',
  },
  {
    name: 'list_card_events',
    route: `GET ${CARD}/events`,
    hints: READS,
    untrusted: true,
    description: 'What has happened to a card, one event for each change; oldest first, unless order is newest.',
  },
  {
    name: 'delete_card',
    route: `DELETE ${CARD}`,
    hints: DESTROYS,
    untrusted: false,
    description: 'Delete a card for good; archive_card can be undone, this cannot.',
  },
  {
    name: 'bulk_change_cards',
    route: `POST ${CARDS}:bulk`,
    hints: DESTROYS,
    untrusted: true,
    description:
      'Do the same to up to 100 cards (ids): patch, move or verb. Answers one row for each; a refused one stops no ' +
      'other.',
  },
];
