/** Tools for what is around a card: its thread, and what it waits for. */
import { ADDS, DESTROYS, READS, SETS, type ToolRow } from '../tool.ts';

const CARD = '/v1/cards/{card}';

export const aroundTools: readonly ToolRow[] = [
  {
    name: 'get_context',
    route: `GET ${CARD}/context`,
    hints: READS,
    untrusted: true,
    description:
      'All that a worker should know about a card in one text: what it is, what its parents handed on, what was ' +
      'tried before, what people said. Read it after a claim, before you begin.',
  },
  {
    name: 'create_comment',
    route: `POST ${CARD}/comments`,
    hints: ADDS,
    untrusted: true,
    description:
      'Say something on a card, for people and for later workers; it stays. @name mentions someone. With your ' +
      'lease_token it renews the lease as well.',
  },
  {
    name: 'list_comments',
    route: `GET ${CARD}/comments`,
    hints: READS,
    untrusted: true,
    description: 'The thread of a card, oldest first.',
  },
  {
    name: 'link_cards',
    route: `POST ${CARD}/links`,
    hints: SETS,
    untrusted: true,
    description:
      'Let one card wait for another: parent_id has to be done before this card is offered, or this card before ' +
      'child_id. A worker links the card that it holds, with its lease_token.',
  },
  {
    name: 'list_links',
    route: `GET ${CARD}/links`,
    hints: READS,
    untrusted: true,
    description: 'The cards that a card waits for (parents), and those that wait for it (children).',
  },
  {
    name: 'unlink_cards',
    route: `DELETE ${CARD}/links`,
    hints: DESTROYS,
    untrusted: false,
    description: 'Let a card no longer wait for another: name parent_id or child_id, as in link_cards.',
  },
];
