/** One command line from its words to the code that the process ends with. */
import { CommanderError, type Command } from 'commander';
import { isLeaseboardError, type LeaseboardError } from '../client/index.ts';
import { EXIT, exitCodeOf, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';
import { printable } from './text.ts';
import { UsageError } from './usage-error.ts';

/** @param words After the name of the program. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const json = words.slice(0, endOfFlags(words)).includes('--json');
  const program = buildProgram(io, (code) => (exit = code));
  // What is wrong with the words is said by a document then, as any other error.
  if (json) program.configureOutput({ writeErr: () => {} });
  for (const command of everyCommand(program)) command.exitOverride().copyInheritedSettings(program);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return io.signal.aborted && exit === EXIT.ok ? EXIT.interrupted : exit;
  } catch (error) {
    if (error instanceof CommanderError) return misused(error, io, json);
    if (io.signal.aborted) return EXIT.interrupted;
    report(error, io, json);
    return exitCodeOf(error);
  }
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Commander has told a person already. Asked for help, it has shown it, which is no mistake. */
function misused({ exitCode, code, message }: CommanderError, io: Io, json: boolean): ExitCode {
  if (exitCode === 0) return EXIT.ok;
  const detail = code === 'commander.help' ? 'A verb is missing: --help shows what there is.' : message;
  if (json) report(new UsageError(detail), io, json);
  return EXIT.usage;
}

function report(error: unknown, io: Io, json: boolean): void {
  if (json) io.err(`${JSON.stringify(documentOf(error))}\n`);
  else io.err(`${printable(sentenceOf(error))}\n`);
}

/** Behind `--` stands another program's command line. */
function endOfFlags(words: readonly string[]): number {
  const at = words.indexOf('--');
  return at === -1 ? words.length : at;
}

/** The server's problem document, or one in its manner. */
function documentOf(error: unknown): object {
  if (isLeaseboardError(error) && error.problem !== null) return error.problem;
  const code = isLeaseboardError(error) ? error.code : codeOf(error);
  return { type: 'about:blank', title: 'The command failed', status: 0, code, detail: messageOf(error) };
}

/** As the server calls it, where it has a name for the same. */
const CODES: Partial<Readonly<Record<ExitCode, string>>> = {
  [EXIT.usage]: 'usage',
  [EXIT.auth]: 'unauthenticated',
  [EXIT.notFound]: 'not_found',
};

function codeOf(error: unknown): string {
  return CODES[exitCodeOf(error)] ?? 'unexpected';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sentenceOf(error: unknown): string {
  if (!isLeaseboardError(error)) return messageOf(error);
  const { errors = [] } = error.problem ?? {};
  // A single one is the sentence itself.
  const faults = errors.length < 2 ? [] : errors.map(({ path, message }) => `  ${path || '/'}: ${message}`);
  return [`${error.message} (${error.code})`, ...faults, ...hintOf(error)].join('\n');
}

/** What to do about it, where the server cannot know. */
function hintOf(error: LeaseboardError): string[] {
  if (error.code === 'network_error') return ['`leaseboard doctor` looks at what is in the way.'];
  if (error.status === 401)
    return ['`leaseboard doctor` shows which token is used, and where it comes from.'];
  return [];
}
