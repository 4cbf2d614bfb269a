import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runIn } from './support/cli-world.ts';
import { putCommandInto } from './support/command-in-path.ts';

const run = promisify(execFile);

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-completion-'));
  env = await putCommandInto(folder);
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

async function wordsFor(...line: string[]): Promise<string[]> {
  const { code, out } = await runIn(folder, ['complete-words', '--', ...line]);
  expect(code).toBe(0);
  return out.trim().split('\n');
}

describe('a line is completed', () => {
  test.each([
    [['ca'], ['card']],
    [['card', 'req'], ['request-cancel']],
    [['card', 'request-cancel', '--rea'], ['--reason']],
    [
      ['card', 'list', '--state', 'd'],
      ['dead', 'done'],
    ],
    [['--board', 'x', 'lease', 'show', 'l'], ['']],
    [
      ['lease', 'ren'],
      ['renew', 'renew-batch'],
    ],
    [['completion', 'z'], ['zsh']],
    [
      ['mcp', 'config', '--client', 'c'],
      ['claude', 'codex', 'cursor'],
    ],
    [['card', 'run', '--', 'l'], ['']],
  ])('%j by %j', async (line, words) => {
    expect(await wordsFor(...line)).toEqual(words);
  });

  test('in bash, by the script that the program prints', async () => {
    const script = `
      source <(leaseboard completion bash)
      COMP_WORDS=(leaseboard card request-c)
      COMP_CWORD=2
      _leaseboard
      echo "\${COMPREPLY[@]}"`;
    const { stdout } = await run('bash', ['-euc', script], { env });
    expect(stdout.trim()).toBe('request-cancel');
  });

  // `shells.slow.test.ts` runs them.
  test.each(['zsh', 'fish'])('in %s, by a script that asks the program', async (shell) => {
    const { out } = await runIn(folder, ['completion', shell]);
    expect(out).toContain('leaseboard complete-words --');
  });
});
