/** Columns, and the contracts that make queues of them. */
import type { ContractInput } from '../../client/index.ts';
import { field } from '../fields.ts';
import { showProgress } from '../progress.ts';
import type { Noun, Verb, VerbCall } from '../verb.ts';

const PLACE = [
  field('role', 'text', 'what it is for', {
    choices: ['triage', 'todo', 'work', 'review', 'blocked', 'done', 'plain'],
  }),
  field('before', 'column', 'stand before this column'),
  field('after', 'column', 'stand after this column'),
  field('wip-limit', 'number', 'shown, not enforced'),
];

const CONTRACT = [
  field('enabled', 'flag', 'the column is a queue'),
  field('lease-ttl-seconds', 'number', 'how long a claim lasts without a heartbeat'),
  field('max-attempts', 'number', 'then a card is dead'),
  field('backoff-seconds', 'json', 'wait after each failed attempt, such as [60,300]'),
  field('backoff-jitter', 'number', '0 to 1; only adds'),
  field('max-runtime-seconds', 'number', 'longest life of one lease'),
  field('concurrency-limit', 'number', 'live leases at once'),
  field('max-per-assignee', 'number', 'live leases of one agent'),
  field('on-success', 'column', 'where done cards go', { name: 'on_success_column_id' }),
  field('on-failure', 'column', 'where dead cards go', { name: 'on_failure_column_id' }),
  field('input-schema', 'json', "JSON Schema of a card's properties"),
  field('output-schema', 'json', "JSON Schema of a completion's output"),
  field('exclude-previous-holder', 'flag', 'nobody reviews their own work'),
  field('aging-seconds', 'number', 'waiting so long is worth one step of priority'),
  field(
    'block-recurrence-limit',
    'number',
    'blocked so often for the same kind of reason, a card goes to triage',
  ),
  field('changes-reserved-seconds', 'number', "how long requested changes are their implementer's alone"),
  field('shards', 'number', 'parts that the queue is spread over, for very many claims a second'),
  field('metrics', 'flag', 'measure the column by itself in CloudWatch, at some $2 a month'),
];

const life: readonly Verb[] = [
  {
    name: 'list',
    operations: ['getBoard'],
    summary: 'Columns of a board, in order',
    columns: ['name', 'role', 'queue', 'paused', 'counts', 'id'],
    example: '--board newsroom',
    run: async ({ client, board, options }) => {
      const { columns } = await client.boards.get(board, options);
      return { items: columns, next_cursor: null };
    },
  },
  {
    name: 'create',
    operations: ['createColumn'],
    summary: 'Add a column',
    fields: [field('name', 'text', 'what it is called', { required: true }), ...PLACE],
    keyed: true,
    example: '--board newsroom --name Research --before Ready',
    run: async ({ client, board, input, options }) => client.columns.create(board, input, options),
  },
  {
    name: 'edit',
    aliases: ['update'],
    operations: ['updateColumn'],
    summary: 'Change or move a column',
    args: ['<column>'],
    fields: [field('name', 'text', 'what it is called'), ...PLACE],
    clear: true,
    example: 'Research --name Reading --after Ready',
    run: async ({ client, board, args, input, options }) =>
      client.columns.update(board, args['column'] ?? '', input, options),
  },
  {
    name: 'delete',
    operations: ['deleteColumn'],
    summary: 'Delete an empty column',
    args: ['<column>'],
    example: 'Research',
    run: async ({ client, board, args, options }) =>
      client.columns.delete(board, args['column'] ?? '', options),
  },
];

const queue: readonly Verb[] = [
  {
    name: 'pause',
    operations: ['pauseColumn'],
    summary: 'Hand out no more cards',
    args: ['<column>'],
    example: 'Ready',
    run: async ({ client, board, args, options }) =>
      client.columns.pause(board, args['column'] ?? '', options),
  },
  {
    name: 'resume',
    operations: ['resumeColumn'],
    summary: 'Hand out cards again',
    args: ['<column>'],
    example: 'Ready',
    run: async ({ client, board, args, options }) =>
      client.columns.resume(board, args['column'] ?? '', options),
  },
  {
    name: 'contract',
    operations: ['getContract'],
    summary: 'Show the contract of a column',
    args: ['<column>'],
    example: 'Ready --json',
    run: async ({ client, board, args, options }) =>
      client.columns.contract(board, args['column'] ?? '', options),
  },
  {
    name: 'set-contract',
    operations: ['putContract'],
    summary: 'Replace the contract: what is left out takes its default, `enabled` (false) too',
    args: ['<column>'],
    fields: CONTRACT,
    data: true,
    clear: true,
    example: 'Ready --enabled --max-attempts 3 --on-success Done',
    run: async ({ client, board, args, input, options }) =>
      client.columns.setContract(board, args['column'] ?? '', input, options),
  },
  {
    name: 'edit-contract',
    operations: ['getContract', 'putContract'],
    summary: 'Change what is given of the contract, and leave the rest',
    args: ['<column>'],
    fields: CONTRACT,
    clear: true,
    example: 'Ready --lease-ttl-seconds 300',
    run: async ({ client, board, args, input, options }) => {
      const before = await client.columns.contract(board, args['column'] ?? '', options);
      const contract = { ...before, ...(input as ContractInput) };
      return client.columns.setContract(board, args['column'] ?? '', contract, options);
    },
  },
];

const redrive: Verb = {
  name: 'redrive',
  operations: ['redriveColumn'],
  summary: 'Bring back the dead cards of a column, all of them',
  args: ['<column>'],
  example: 'Ready',
  run: redriveAll,
};

/** The API takes a hundred a call. */
async function redriveAll({ session, client, board, args, options }: VerbCall) {
  const progress = showProgress(session, 'Bringing back', null);
  const sum = { redriven: 0, refused: 0, more: true };
  try {
    while (sum.more) {
      const answer = await client.columns.redrive(board, args['column'] ?? '', options);
      sum.redriven += answer.redriven;
      sum.refused += answer.refused;
      // What is refused stays dead, so a call that brings nothing back would be repeated for ever.
      sum.more = answer.more && answer.redriven > 0;
      progress.at(sum.redriven);
    }
  } finally {
    progress.end();
  }
  return sum;
}

export const columns: Noun = {
  name: 'column',
  summary: 'Columns, and the contracts that make queues of them',
  verbs: [...life, ...queue, redrive],
};
