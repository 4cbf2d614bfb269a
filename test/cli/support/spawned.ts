/** Processes of a test, on whatever Node the machine has: users do not have the project's own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';

const OWN_BIN = join('node_modules', '.bin');

/** PATH without what the project brings. */
export const MACHINE_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(OWN_BIN))
  .join(delimiter);

/** The machine's own Node, else the project's. */
export const MACHINE_NODE =
  MACHINE_PATH.split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find(isProgram) ?? process.execPath;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Spawned {
  readonly child: ChildProcess;
  /** Both streams so far. */
  readonly said: () => string;
  /** Exit code, once it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts a program; it is killed with the test. */
export function spawned(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Spawned {
  const child = spawn(program, args, {
    cwd,
    env: { HOME: cwd, ...env, PATH: MACHINE_PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, said: () => said, ended };
}
