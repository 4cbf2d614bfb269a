/** Who may call, single runs, and the installation itself. */
import { field } from '../fields.ts';
import type { Noun, VerbCall } from '../verb.ts';

const SCOPE = field('scope', 'list', 'what it may do: worker, member or admin', {
  name: 'scopes',
  required: true,
});
const BOUND = field('bound-to', 'text', 'for this agent only', { name: 'agent' });
const RATE = field('requests-per-minute', 'number', 'answered no faster');

/** `--board` on the command line itself is the token's board; one that is merely set binds no token. */
function onBoard({ session, input }: VerbCall): never {
  const { board } = session.settings;
  const named = board?.from === '--board' ? { board_id: board.value } : {};
  return { ...named, ...(input as object) } as never;
}

export const tokens: Noun = {
  name: 'token',
  summary: 'Who may call',
  verbs: [
    {
      name: 'create',
      operations: ['createToken'],
      summary: 'Create a token, shown now and never again; for every board, unless --board names one',
      fields: [
        field('name', 'text', 'what it is called', { required: true }),
        SCOPE,
        BOUND,
        field('expires-at', 'time', 'until then'),
        RATE,
      ],
      example: '--name drafter-1 --scope worker --board newsroom --bound-to drafter-1 --expires-at +30d',
      run: async (call) => call.client.tokens.create(onBoard(call), call.options),
    },
    {
      name: 'list',
      operations: ['listTokens'],
      summary: 'Tokens, without their secrets',
      columns: ['id', 'name', 'scopes', 'board_id', 'agent', 'expires_at'],
      paged: true,
      example: '--all',
      run: async ({ client, input, options }) => client.tokens.list(input, options),
    },
    {
      name: 'rotate',
      operations: ['rotateToken'],
      summary: 'Give a token a new secret, shown now and never again; the old one opens for a while still',
      args: ['<token-id>'],
      fields: [field('grace-seconds', 'number', 'for how long; default a day')],
      example: 'tok_... --grace-seconds 3600',
      run: async ({ client, args, input, options }) =>
        client.tokens.rotate(args['token-id'] ?? '', input, options),
    },
    {
      name: 'register-role',
      operations: ['registerRole'],
      summary: 'Let an IAM role call under /aws, signed by AWS; listed and revoked among the tokens',
      fields: [
        field('role-arn', 'text', 'arn:aws:iam::<account>:role/<name>', { required: true }),
        SCOPE,
        field('name', 'text', 'what it is called'),
        BOUND,
        RATE,
      ],
      example: '--role-arn arn:aws:iam::123456789012:role/drafters --scope worker',
      run: async (call) => call.client.tokens.registerRole(onBoard(call), call.options),
    },
    {
      name: 'revoke',
      operations: ['revokeToken'],
      summary: 'Revoke a token, in force within a minute',
      args: ['<token-id>'],
      confirm: true,
      example: 'tok_... --confirm tok_...',
      run: async ({ client, args, options }) => client.tokens.revoke(args['token-id'] ?? '', options),
    },
  ],
};

export const runs: Noun = {
  name: 'run',
  summary: 'Single attempts; `leaseboard card runs CARD` lists those of a card',
  verbs: [
    {
      name: 'show',
      aliases: ['get'],
      operations: ['getRun'],
      summary: 'One attempt',
      args: ['<run>'],
      example: 'run_...',
      run: async ({ client, args, options }) => client.runs.get(args['run'] ?? '', options),
    },
  ],
};

export const server: Noun = {
  name: 'server',
  summary: 'The installation, and who one is to it',
  verbs: [
    {
      name: 'health',
      operations: ['health'],
      summary: 'Whether it runs',
      example: '',
      run: async ({ client, options }) => client.system.health(options),
    },
    {
      name: 'me',
      aliases: ['whoami'],
      operations: ['me'],
      summary: 'What the token in use is and may do',
      example: '--json',
      run: async ({ client, options }) => client.system.me(options),
    },
    {
      name: 'openapi',
      operations: ['openapi'],
      summary: 'The OpenAPI document',
      example: '--json > openapi.json',
      run: async ({ client, options }) => client.system.openapi(options),
    },
  ],
};
