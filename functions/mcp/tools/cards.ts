/** Tools for cards: to read them, to make and change them, and to put them elsewhere. */
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
    description: 'What has happened to a card, one event for each change, oldest first.',
  },
  {
    name: 'move_card',
    route: `POST ${CARD}:move`,
    hints: SETS,
    untrusted: true,
    description:
      'To another column (column_id), or to another place: one of before, after (a card’s id), top, bottom. A held ' +
      'card is taken from its worker only with force: true and a reason.',
  },
  {
    name: 'assign_card',
    route: `POST ${CARD}:assign`,
    hints: SETS,
    untrusted: true,
    description: 'Say which agent is to work on a card: it is offered to that one only. null: to anyone.',
  },
  {
    name: 'hold_card',
    route: `POST ${CARD}:hold`,
    hints: SETS,
    untrusted: true,
    description: 'Offer a card to nobody until unhold_card. A worker that has it keeps it.',
  },
  {
    name: 'unhold_card',
    route: `POST ${CARD}:unhold`,
    hints: SETS,
    untrusted: true,
    description: 'Offer a card again that was on hold.',
  },
  {
    name: 'request_cancel',
    route: `POST ${CARD}:request-cancel`,
    hints: SETS,
    untrusted: true,
    description:
      'Ask the worker of a card to stop; it hears of it, and of the reason, at its next heartbeat. The polite way: ' +
      'reclaim_card does not ask.',
  },
  {
    name: 'reclaim_card',
    route: `POST ${CARD}:reclaim`,
    hints: DESTROYS,
    untrusted: true,
    description:
      'Take a card from its worker and put it back into its queue. What the worker does from then on is refused.',
  },
  {
    name: 'redrive_card',
    route: `POST ${CARD}:redrive`,
    hints: SETS,
    untrusted: true,
    description: 'Bring a dead card back to the queue where it died, with all its attempts.',
  },
  {
    name: 'reopen_card',
    route: `POST ${CARD}:reopen`,
    hints: SETS,
    untrusted: true,
    description: 'Take a card up again that is done: back to the column it was done in, or to column_id.',
  },
  {
    name: 'archive_card',
    route: `POST ${CARD}:archive`,
    hints: SETS,
    untrusted: true,
    description: 'Put a card away. A held one only with force: true and a reason. unarchive_card undoes it.',
  },
  {
    name: 'unarchive_card',
    route: `POST ${CARD}:unarchive`,
    hints: SETS,
    untrusted: true,
    description: 'Get an archived card back.',
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
