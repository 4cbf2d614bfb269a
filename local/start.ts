/** `npm start`: the stack, what to try first, and its end. */
import './check-node.mjs';
import { join } from 'node:path';
import { startDemo } from './demo.ts';
import { divertFunctionLog } from './function-log.ts';
import type { ErrorLog } from './http-server.ts';
import { HELP, parseOptions, type StartOptions } from './options.ts';
import { watchParent } from './own-record.ts';
import { startStack, type Stack } from './stack.ts';
import { UserError } from './user-error.ts';

/** The parts have limits of their own, together under this. Past it something hangs. */
const STOP_LIMIT_MS = 15_000;
/** What a shell reports for a process that ended on Ctrl-C. */
const EXIT_INTERRUPTED = 130;

const logError: ErrorLog = (what, error) => {
  console.error(`${new Date().toISOString()} ${what}:`, error);
};

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) {
    console.log(HELP);
    return;
  }
  const log = divertFunctionLog(options.directory === null ? null : join(options.directory, 'functions.log'));
  let stop = async (): Promise<void> => process.exit(EXIT_INTERRUPTED);
  onEnd(async () => stop());
  const stack = await startStack(options, logError);
  const demo = options.demo ? startDemo(stack, logError) : null;
  stop = async () => {
    await demo?.stop();
    await stack.stop();
    await log.close();
  };
  log.print(greeting(stack, options));
}

/**
 * Ends once, whatever comes first and however often: Ctrl-C reaches this process from the terminal and again
 * from npm.
 */
function onEnd(stop: () => Promise<void>): void {
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logError('Ending', error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  watchParent(end);
}

/** The board's address carries the token behind the #, which no browser sends to any server. */
function greeting({ url, adminToken }: Stack, { directory }: StartOptions): string {
  const authorization = `-H 'Authorization: Bearer ${adminToken}'`;
  return `
Leaseboard is ready at ${url}
The board:   ${url}/#token=${adminToken}
Admin token: ${adminToken}
Data and log: ${directory ?? 'in memory, gone at the end'}

Try:
  curl ${authorization} ${url}/v1/me
  curl ${authorization} ${url}/v1/boards
  curl ${authorization} -H 'Content-Type: application/json' -d '{"name": "My board"}' ${url}/v1/boards

Ctrl-C ends it.`;
}

process.on('unhandledRejection', (error) => {
  logError('A promise that nobody waited for', error);
});

try {
  await main();
} catch (error) {
  if (error instanceof UserError) console.error(error.message);
  else logError('Leaseboard did not start', error);
  process.exit(error instanceof UserError ? error.exitCode : 1);
}
