/** Tools for boards, columns and their contracts, and for who one is. */
import { ADDS, DESTROYS, READS, SETS, type ToolRow } from '../tool.ts';

const BOARD = '/v1/boards/{board}';
const COLUMN = `${BOARD}/columns/{column}` as const;

export const boardTools: readonly ToolRow[] = [
  {
    name: 'get_me',
    route: 'GET /v1/me',
    hints: READS,
    untrusted: false,
    description:
      'What your token is: its scopes, the board that it is for, and the agent that it speaks for.',
  },
  {
    name: 'list_boards',
    route: 'GET /v1/boards',
    hints: READS,
    untrusted: true,
    description: 'The boards that you may know of. Next: get_board shows a board’s columns.',
  },
  {
    name: 'get_board',
    route: `GET ${BOARD}`,
    hints: READS,
    untrusted: true,
    description:
      'A board with its columns in order: their ids, which of them are queues (queue: true) to claim from, their ' +
      'contracts, and how many cards stand in each state.',
  },
  {
    name: 'get_column_contract',
    route: `GET ${COLUMN}/contract`,
    hints: READS,
    untrusted: true,
    description:
      'What makes a column a queue: lease length, attempts, pauses, limits, where cards go next, and the schemas ' +
      'of a card’s properties and of the output to complete with.',
  },
  {
    name: 'set_column_contract',
    route: `PUT ${COLUMN}/contract`,
    hints: DESTROYS,
    untrusted: true,
    description:
      'Replace a column’s contract as a whole: what is left out takes its default. So get_column_contract first, ' +
      'change what you mean to, and send all of it. enabled: true makes the column a queue.',
  },
  {
    name: 'list_events',
    route: `GET ${BOARD}/events`,
    hints: READS,
    untrusted: true,
    description:
      'Everything that happens on a board, in order and without gaps. Go on with since: next_cursor of the answer ' +
      'before, or events_cursor of get_board for what happens from now on.',
  },
  {
    name: 'get_stats',
    route: `GET ${BOARD}/stats`,
    hints: READS,
    untrusted: true,
    description: 'How a board fares, in numbers: what waits, what is held, how old it is.',
  },
  {
    name: 'get_diagnostics',
    route: `GET ${BOARD}/diagnostics`,
    hints: READS,
    untrusted: true,
    description: 'What on a board needs a look: cards that cannot go on by themselves, and why.',
  },
  {
    name: 'create_graph',
    route: `POST ${BOARD}/graphs`,
    hints: ADDS,
    untrusted: true,
    description:
      'Create many cards that wait for each other in one call, all or nothing: cards, each with a ref of your own, and ' +
      'links {parent, child} of refs or ids. Answers the id of each ref. Plan the work first; do not do it yourself.',
  },
  {
    name: 'create_swarm',
    route: `POST ${BOARD}/graphs:swarm`,
    hints: ADDS,
    untrusted: true,
    description:
      'Set several agents on one goal: a card for each of workers at once, then one for the verifier, then one for the ' +
      'synthesizer. They share what they find as comments on the root card.',
  },
  {
    name: 'create_column',
    route: `POST ${BOARD}/columns`,
    hints: ADDS,
    untrusted: true,
    description: 'Add a column. It becomes a queue by set_column_contract.',
  },
  {
    name: 'update_column',
    route: `PATCH ${COLUMN}`,
    hints: SETS,
    untrusted: true,
    description: 'Rename a column, give it another role, or put it elsewhere among the columns.',
  },
  {
    name: 'delete_column',
    route: `DELETE ${COLUMN}`,
    hints: DESTROYS,
    untrusted: false,
    description: 'Delete a column that has no cards left.',
  },
  {
    name: 'pause_column',
    route: `POST ${COLUMN}:pause`,
    hints: SETS,
    untrusted: true,
    description: 'Hand out no more cards of a queue. Workers that have one may finish it.',
  },
  {
    name: 'resume_column',
    route: `POST ${COLUMN}:resume`,
    hints: SETS,
    untrusted: true,
    description: 'Hand out cards of a paused queue again.',
  },
  {
    name: 'redrive_column',
    route: `POST ${COLUMN}:redrive`,
    hints: ADDS,
    untrusted: false,
    description: 'Bring back the dead cards of a queue, a hundred a call; more: true means call again.',
  },
  {
    name: 'create_board',
    route: 'POST /v1/boards',
    hints: ADDS,
    untrusted: true,
    description: 'Create a board, with the columns of the default template or empty.',
  },
  {
    name: 'update_board',
    route: `PATCH ${BOARD}`,
    hints: SETS,
    untrusted: true,
    description: 'Change a board’s name, description or icon, or how many cards may be in progress at once.',
  },
  {
    name: 'delete_board',
    route: `DELETE ${BOARD}`,
    hints: DESTROYS,
    untrusted: false,
    description:
      'Archive a board, which restore_board undoes; with hard: true delete it and all its cards for good.',
  },
  {
    name: 'restore_board',
    route: `POST ${BOARD}:restore`,
    hints: SETS,
    untrusted: true,
    description: 'Open an archived board again.',
  },
];
