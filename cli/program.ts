/** The whole command line: global flags, nouns with their verbs, and the commands that are no single call. */
import { Command } from 'commander';
import { addCardRun } from './live/card-run.ts';
import { addTail } from './live/tail.ts';
import { addWatch } from './live/watch.ts';
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { addExport } from './files/export.ts';
import { addImport } from './files/import.ts';
import type { Io } from './io.ts';
import { addMcp } from './mcp-config.ts';
import { NOUNS } from './nouns.ts';
import { addProfile } from './profile-commands.ts';
import { wholeNumber } from './option-values.ts';
import { addNoun, type SetExit } from './register.ts';

const FIRST_STEPS = `
First steps, beside a running \`npm start\`:
  leaseboard board create --name Newsroom --slug newsroom
  leaseboard import backlog.jsonl --board newsroom --column Ready
  leaseboard card run --board newsroom --column Ready --agent drafter-1 --until-empty -- ./work.sh
  leaseboard watch --board newsroom
  leaseboard card list --board newsroom --state dead
  leaseboard card redrive NEWSR-1 --board newsroom

Which installation: --url, --token or --token-file; else LEASEBOARD_URL, LEASEBOARD_TOKEN, LEASEBOARD_BOARD,
LEASEBOARD_COLUMN, LEASEBOARD_AGENT; else .leaseboard.json (profile, board, column); else the profile
(\`leaseboard profile set\`); else http://127.0.0.1:8787 with the token that \`npm start\` keeps in .leaseboard.

Every command takes --json: one object, or a line for each item of a stream; errors are problem documents on standard
error. \`leaseboard exit-codes\` lists what a command can end with, \`leaseboard NOUN VERB --help\` has an example.`;

export function buildProgram(io: Io, setExit: SetExit): Command {
  const program = new Command('leaseboard')
    .description('The task queue for a fleet of AI agents that is a kanban column.')
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', FIRST_STEPS);
  addGlobalFlags(program);
  const parents = new Map(NOUNS.map((noun) => [noun.name, addNoun(program, noun, io, setExit)]));
  addCardRun(parents.get('card') ?? program, io, setExit);
  addTail(program, io);
  addWatch(program, io);
  addImport(program, io, setExit);
  addExport(program, io);
  addMcp(program, io);
  addProfile(program, io);
  addDoctor(program, io, setExit);
  addCompletion(program, io);
  addExitCodes(program, io);
  return program;
}

function addGlobalFlags(program: Command): void {
  program
    .option('--url <url>', 'address of the installation')
    .option(
      '--token <token>',
      'lb_<id>_<secret>; other users of the machine can read it: better --token-file',
    )
    .option('--token-file <file>', 'file with the token, - for standard input')
    .option('--profile <name>', 'one of `leaseboard profile list`')
    .option('--board <board>', 'slug or id of the board')
    .option('--agent <name>', 'name of this session, unless the token is bound to one')
    .option('--timeout <seconds>', 'for one try of a call (default 10)', wholeNumber)
    .option('--json', 'JSON, for programs')
    .option('--quiet', 'data and errors only');
}

function addExitCodes(program: Command, io: Io): void {
  const table = EXIT_CODES.map(([code, meaning]) => `${String(code).padStart(5)}  ${meaning}`).join('\n');
  program
    .command('exit-codes')
    .description('What a command can end with')
    .addHelpText('after', `\n${table}`)
    .action((_options: object, command: Command) => {
      const json = command.optsWithGlobals()['json'] === true;
      io.out(json ? `${JSON.stringify(Object.fromEntries(EXIT_CODES))}\n` : `${table}\n`);
    });
}
