/** The command `leaseboard`, for shells that look for it. */
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const MAIN = new URL('../../../cli/main.ts', import.meta.url).pathname;

/** @returns an environment in which it is found there */
export async function putCommandInto(folder: string): Promise<NodeJS.ProcessEnv> {
  const command = join(folder, 'leaseboard');
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  await chmod(command, 0o755);
  return { ...process.env, HOME: folder, PATH: [folder, process.env['PATH']].join(delimiter) };
}
