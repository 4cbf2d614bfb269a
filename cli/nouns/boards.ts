/** Boards as a whole. */
import { exitCodeOfImport, importBoardFile } from '../files/board-file.ts';
import { field } from '../fields.ts';
import type { Noun, Verb } from '../verb.ts';

const LONGEST_PAGE = 100;

const DETAILS = [
  field('description', 'text', 'what the board is for'),
  field('icon', 'text', 'a character or two'),
];

/** The rest of a column is shown by `column contract`, or as JSON. */
const COLUMNS = { columns: ['name', 'role', 'queue', 'paused', 'counts', 'id'] };

const life: readonly Verb[] = [
  {
    name: 'create',
    aliases: ['init'],
    operations: ['createBoard'],
    summary: 'Create a board, with the columns Triage, To do, Ready, Review, Blocked and Done',
    fields: [
      field('name', 'text', 'what it is called', { required: true }),
      field('slug', 'text', 'its name in addresses'),
      ...DETAILS,
      field('template', 'text', 'columns to begin with', { choices: ['default', 'empty'] }),
    ],
    keyed: true,
    tables: COLUMNS,
    example: '--name Newsroom --slug newsroom',
    run: async ({ client, input, options }) => client.boards.create(input, options),
  },
  {
    name: 'list',
    operations: ['listBoards'],
    summary: 'Boards that the token may know of',
    fields: [field('archived', 'flag', 'those that were put away')],
    columns: ['slug', 'name', 'id', 'updated_at'],
    paged: true,
    example: '--all',
    run: async ({ client, input, options }) => client.boards.list(input, options),
  },
  {
    name: 'show',
    aliases: ['get'],
    operations: ['getBoard'],
    summary: 'One board with its columns, contracts and counts',
    args: ['[board]'],
    tables: COLUMNS,
    example: 'newsroom',
    run: async ({ client, board, options }) => client.boards.get(board, options),
  },
  {
    name: 'edit',
    aliases: ['update'],
    operations: ['updateBoard'],
    summary:
      'Change what a board is called, how many cards may be held at once, and what is kept for how long',
    args: ['[board]'],
    fields: [
      field('name', 'text', 'what it is called'),
      ...DETAILS,
      field('max-in-progress', 'number', 'cards held at once on the whole board'),
      field('event-retention-days', 'number', 'how long events are kept'),
      field('run-retention-days', 'number', 'how long attempts are kept'),
      field('archived-retention-days', 'number', 'how long archived cards are kept'),
    ],
    clear: true,
    example: 'newsroom --max-in-progress 20',
    run: async ({ client, board, input, options }) => client.boards.update(board, input, options),
  },
  {
    name: 'archive',
    operations: ['deleteBoard'],
    summary: 'Put a board away',
    args: ['<board>'],
    example: 'newsroom',
    run: async ({ client, board, options }) => client.boards.archive(board, options),
  },
  {
    name: 'restore',
    operations: ['restoreBoard'],
    summary: 'Open an archived board again',
    args: ['<board>'],
    example: 'newsroom',
    run: async ({ client, board, options }) => client.boards.restore(board, options),
  },
  {
    name: 'delete',
    operations: ['deleteBoard'],
    summary: 'Delete a board and all that is on it, for good',
    args: ['<board>'],
    confirm: true,
    example: 'newsroom --confirm newsroom',
    run: async ({ client, board, options }) => client.boards.delete(board, options),
  },
];

const transfer: readonly Verb[] = [
  {
    name: 'export',
    operations: ['exportBoard'],
    summary: 'All of a board but files, events and webhooks, a row a line: what `board import` takes',
    args: ['[board]'],
    lines: true,
    example: 'newsroom > newsroom.ndjson',
    run: async ({ client, board, input, options }) => {
      const page: { cursor?: string } = input;
      return client.boards.export(board, { limit: LONGEST_PAGE, ...page }, options);
    },
  },
  {
    name: 'import',
    operations: ['importBoard'],
    summary: 'Put an exported board onto a board; what is there already stays as it is',
    args: ['<file>', '[board]'],
    fields: [field('create', 'flag', 'make the board, should there be none of that name')],
    example: 'newsroom.ndjson newsroom --create',
    run: importBoardFile,
    exitCode: exitCodeOfImport,
  },
];

const supervision: readonly Verb[] = [
  {
    name: 'stats',
    operations: ['getStats'],
    summary: 'How a board fares, in numbers; and whose the cards are',
    args: ['[board]'],
    example: 'newsroom --json',
    run: async ({ client, board, options }) => client.boards.stats(board, options),
  },
  {
    name: 'diagnostics',
    aliases: ['diag'],
    operations: ['getDiagnostics'],
    summary: 'Cards that are not offered: why, since when, and what would change that',
    args: ['[board]'],
    columns: ['card_id', 'code', 'since', 'sentence'],
    paged: true,
    example: 'newsroom',
    run: async ({ client, board, input, options }) => client.boards.diagnostics(board, input, options),
  },
  {
    name: 'frontier',
    operations: ['getFrontier'],
    summary: 'What may be taken right now, or why nothing',
    args: ['[board]'],
    fields: [
      field('column', 'column', 'of this column only'),
      field('for', 'text', 'what this agent may take', { name: 'agent' }),
    ],
    columns: ['key', 'title', 'priority', 'assignee', 'id'],
    example: 'newsroom --column Ready',
    run: async ({ client, board, input, options }) => client.frontier.get(board, input, options),
  },
];

const makers: readonly Verb[] = [
  {
    name: 'graph',
    operations: ['createGraph'],
    summary: 'Create cards and the links between them, all or nothing',
    args: ['[board]'],
    data: true,
    keyed: true,
    example: `newsroom --data '{"cards": [{"ref": "a", "title": "First"}, {"ref": "b", "title": "Then"}], "links": [{"parent": "a", "child": "b"}]}'`,
    run: async ({ client, board, input, options }) => client.cards.createGraph(board, input, options),
  },
  {
    name: 'swarm',
    operations: ['createSwarm'],
    summary: 'Create a blackboard, workers, a verifier and a synthesizer',
    args: ['[board]'],
    fields: [
      field('goal', 'text', 'what it is all for', { required: true }),
      field('worker', 'list', 'who works on it', { name: 'workers', required: true }),
      field('verifier', 'text', 'who checks', { required: true }),
      field('synthesizer', 'text', 'who puts it together', { required: true }),
      field('column', 'column', 'where the cards stand', { name: 'column_id' }),
    ],
    keyed: true,
    example: 'newsroom --goal "Compare the three" --worker a-1 --worker a-2 --verifier v-1 --synthesizer s-1',
    run: async ({ client, board, input, options }) => client.cards.createSwarm(board, input, options),
  },
];

export const boards: Noun = {
  name: 'board',
  summary: 'Boards, and how they fare',
  verbs: [...life, ...transfer, ...supervision, ...makers],
};
