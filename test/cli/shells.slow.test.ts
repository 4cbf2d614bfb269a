/** Completion as shells do it that a machine may not have: Tab is pressed in zsh, fish is asked. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putCommandInto } from './support/command-in-path.ts';

const run = promisify(execFile);
/** Of one shell; a key that completes nothing is waited for until then. */
const TIMEOUT_MS = 50_000;

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-shells-'));
  env = await putCommandInto(folder);
  await writeFile(join(folder, 'backlog.jsonl'), '');
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

async function shell(program: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: folder, env, timeout: TIMEOUT_MS };
  const { stdout } = await run(program, args, options).catch((error: unknown) => {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw missing ? new Error(`There is no ${program}: apt-get install zsh fish`) : error;
  });
  return stdout;
}

const LINES: readonly (readonly [line: string, completed: readonly string[]])[] = [
  ['leaseboard card request-c', ['request-cancel']],
  ['leaseboard card list --state d', ['dead', 'done']],
  ['leaseboard import back', ['backlog.jsonl']],
];

describe('Tab', () => {
  test.each(LINES)('in zsh after "%s"', async (line, completed) => {
    const script = `
      zmodload zsh/zpty
      zpty shell 'zsh -f -i'
      zpty -w shell "autoload -U compinit; compinit -u -D; source <(leaseboard completion zsh); print -r 're''ady'"
      zpty -r shell said '*ready*'
      zpty -w -n shell $'${line}\\t\\t\\t'
      zpty -r shell said '*${completed.join('*')}*'
      print -r -- $said
      zpty -d shell`;
    const said = await shell('zsh', '-f', '-c', script);
    for (const word of completed) expect(said).toContain(word);
  });

  test.each(LINES)('in fish after "%s"', async (line, completed) => {
    const completions = join(folder, '.config/fish/completions');
    await mkdir(completions, { recursive: true });
    await writeFile(join(completions, 'leaseboard.fish'), await shell('leaseboard', 'completion', 'fish'));
    const said = await shell('fish', '-c', `complete -C '${line}'`);
    expect(said.trim().split(/\s+/)).toEqual(completed);
  });
});
