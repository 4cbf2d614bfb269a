/** Tools for what is around a card: its thread, and what it waits for. */
import { ADDS, DESTROYS, READS, SETS, type ToolRow } from '../tool.ts';

const CARD = '/v1/cards/{card}';

/** A file may be fetched from where a web address says. */
const FETCHES = { ...ADDS, openWorldHint: true };

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
  {
    name: 'decompose_card',
    route: `POST ${CARD}:decompose`,
    hints: ADDS,
    untrusted: true,
    description:
      'Break a card down into sub-cards (cards, each with a ref of your own) that may wait for each other (links of ' +
      'refs). The card itself waits until they are done, and then comes back to be judged. A worker breaks down the ' +
      'card that it holds, with its lease_token.',
  },
  {
    name: 'create_attachment',
    route: `POST ${CARD}/attachments`,
    hints: FETCHES,
    untrusted: true,
    description:
      'Attach a file to a card: small ones inline (content_base64), ones on the web by from_url, large ones by size, ' +
      'which answers an upload_url to PUT the bytes to. Needs name and content_type.',
  },
  {
    name: 'list_attachments',
    route: `GET ${CARD}/attachments`,
    hints: READS,
    untrusted: true,
    description: 'The files of a card, each with a download_url that works for a while.',
  },
  {
    name: 'delete_attachment',
    route: `DELETE ${CARD}/attachments/{attachment}`,
    hints: DESTROYS,
    untrusted: false,
    description: 'Remove a file from a card, for good.',
  },
];
