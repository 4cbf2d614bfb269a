/** Makes commands of rows: flags, help with an example, and the way from a command line to a call and its answer. */
import type { Command } from 'commander';
import type { RequestOptions } from '../client/index.ts';
import { addFields, readFields } from './fields.ts';
import type { Io } from './io.ts';
import { forgetLease } from './kept-leases.ts';
import { collected, wholeNumber } from './option-values.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { openSession, type Session } from './session.ts';
import type { GlobalFlags } from './settings.ts';
import { UsageError } from './usage-error.ts';
import type { Argument, Noun, Verb } from './verb.ts';

/** Says what the process is to end with, when it is not 0. */
export type SetExit = (code: ExitCode) => void;

export function addNoun(program: Command, noun: Noun, io: Io, setExit: SetExit): Command {
  const parent = program.command(noun.name).description(noun.summary);
  for (const verb of noun.verbs) addVerb(parent, noun.name, verb, io, setExit);
  return parent;
}

function addVerb(parent: Command, noun: string, verb: Verb, io: Io, setExit: SetExit): void {
  const command = parent.command(verb.name).description(verb.summary);
  for (const alias of verb.aliases ?? []) command.alias(alias);
  for (const argument of verb.args ?? []) command.argument(argument, ARGUMENT_HELP[argument]);
  addFields(command, verb.fields ?? []);
  addStandardFlags(command, verb);
  command.addHelpText('after', `\nExample:\n  leaseboard ${noun} ${verb.name} ${verb.example}`.trimEnd());
  command.action(async () => setExit(await execute(io, verb, command)));
}

const ARGUMENT_HELP: Readonly<Record<Argument, string>> = {
  '<board>': 'slug or id',
  '[board]': 'slug or id; default: the one that is set',
  '<card>': 'id, or key such as BUG-12',
  '[card]': 'id, or key such as BUG-12',
  '<column>': 'name or id',
  '<lease>': 'id',
  '[lease]': 'id; default: LEASEBOARD_LEASE_ID',
  '<run>': 'id',
  '<webhook>': 'id',
  '<delivery>': 'id',
  '<token-id>': 'id',
  '<attachment>': 'id',
  '<text>': 'text',
  '<agent>': 'name, or "none"',
  '<model>': 'name, or "none"',
  '<file>': 'path, or - for standard input',
};

function addStandardFlags(command: Command, verb: Verb): void {
  if (verb.data === true)
    command.option('--data <json>', 'the whole body; flags win over it (JSON, @FILE or -)');
  if (verb.clear === true) {
    command.option('--clear <field>', 'set a field to null (may be given several times)', collected);
  }
  if (verb.keyed === true) {
    command.option('--idempotency-key <key>', 'sent again with the same key, it is answered, not done again');
  }
  if (verb.asHolder === true || verb.holder !== undefined) {
    command.option('--lease-token <token>', 'of the lease; better by LEASEBOARD_LEASE_TOKEN');
  }
  if (verb.ifRev === true)
    command.option('--rev <number>', 'refuse when the card has another revision by now');
  if (verb.confirm === true) command.option('--confirm <name>', 'repeat what is to be deleted');
  if (verb.paged !== true) return;
  command.option('--limit <number>', 'at most so many in one answer (1-100)', wholeNumber);
  command.option('--cursor <cursor>', 'go on where the answer before ended');
  command.option('--all', 'every page; with --json one item a line');
}

type Options = GlobalFlags & Readonly<Record<string, unknown>>;

async function execute(io: Io, verb: Verb, command: Command): Promise<ExitCode> {
  const options: Options = command.optsWithGlobals();
  const given = namedArguments(verb, command.args);
  const board = given['board'];
  const session = await openSession(io, board === undefined ? options : { ...options, board });
  if (verb.confirm === true) mustConfirm(command.args, options['confirm']);
  const args = await resolveArguments(session, given);
  const input = await inputOf(session, verb, args, options);
  const call = async (more: object): Promise<unknown> =>
    verb.run({
      session,
      client: session.client,
      get board() {
        return session.board;
      },
      args,
      input: { ...input, ...more } as never,
      options: requestOptions(session, options),
    });
  if (options['all'] === true || verb.lines === true) return everyPage(session, verb, call);
  const answer = await call({});
  if (verb.holder === 'ends' && args['lease'] !== undefined) await forgetLease(io, args['lease']);
  session.output.show(answer, verb);
  return verb.exitCode?.(answer) ?? EXIT.ok;
}

function namedArguments(verb: Verb, values: readonly string[]): Record<string, string> {
  const named = (verb.args ?? []).map((argument, at) => [argument.slice(1, -1), values[at]] as const);
  const empty = named.find(([, value]) => value?.trim() === '');
  if (empty !== undefined) throw new UsageError(`<${empty[0]}> is empty.`);
  return Object.fromEntries(named.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function mustConfirm(args: readonly string[], confirmed: unknown): void {
  if (args[0] !== undefined && confirmed === args[0]) return;
  throw new UsageError(`This cannot be undone. Repeat the name to confirm: --confirm ${args[0] ?? ''}`);
}

async function resolveArguments(
  session: Session,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const args = { ...given };
  if (args['card'] !== undefined) args['card'] = await session.card(args['card']);
  if (args['column'] !== undefined) args['column'] = await session.column(args['column']);
  return args;
}

async function inputOf(
  session: Session,
  verb: Verb,
  args: Record<string, string>,
  options: Options,
): Promise<Record<string, unknown>> {
  const input = await readFields(session, verb.fields ?? [], options);
  for (const name of ['limit', 'cursor']) if (options[name] !== undefined) input[name] = options[name];
  if (verb.holder === undefined) return input;
  args['lease'] ??= session.io.env['LEASEBOARD_LEASE_ID'] ?? '';
  if (args['lease'] === '') throw new UsageError('Which lease? Name it, or set LEASEBOARD_LEASE_ID.');
  input['lease_token'] = await session.leaseToken(args['lease'], textOf(options['leaseToken']));
  return input;
}

function requestOptions(session: Session, options: Options): RequestOptions {
  return {
    signal: session.io.signal,
    idempotencyKey: textOf(options['idempotencyKey']),
    leaseToken: textOf(options['leaseToken']),
    ifMatch: textOf(options['rev']),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor?: string | null;
}

/** As one list for people, and a line for each item for programs. */
async function everyPage(
  session: Session,
  verb: Verb,
  call: (more: object) => Promise<unknown>,
): Promise<ExitCode> {
  const items: unknown[] = [];
  let cursor: string | null | undefined;
  do {
    const page = (await call(cursor === undefined ? {} : { cursor })) as Page;
    if (verb.lines === true) for (const item of page.items) session.io.out(`${JSON.stringify(item)}\n`);
    else if (session.output.json) for (const item of page.items) session.output.line(item, '');
    else items.push(...page.items);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  if (verb.lines !== true && !session.output.json) session.output.show({ items, next_cursor: null }, verb);
  return EXIT.ok;
}
