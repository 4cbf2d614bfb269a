/** The README is followed to the letter: its shell blocks run in order against the system that it starts. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const READY_LIMIT_MS = 60_000;
const run = promisify(execFile);

let data = '';
let url = '';
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'leaseboard-readme-'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const args = ['local/start.ts', '--port', String(port), '--data', data, '--no-demo'];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  await waitUntil('the stack', READY_LIMIT_MS, async () => {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    return answer?.ok === true;
  });
}, READY_LIMIT_MS * 2);

afterAll(async () => {
  await stop();
});

/** What stands in fences marked with `language`. */
async function blocksOf(language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8');
  const fences = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...text.matchAll(fences)].map(([, block = '']) => block);
}

/** Shell blocks with this test's address and folder for the default ones. */
async function shellBlocks(): Promise<string[]> {
  const blocks = await blocksOf('sh');
  return blocks.map((block) =>
    block.replaceAll('http://127.0.0.1:8787', url).replaceAll('.leaseboard/', `${data}/`),
  );
}

/** What scout, editor, writer and the person who reviews read on their way. */
const PIPELINE = [
  'pipeline',
  'Find the sources',
  'parents_open,parents_open',
  'Find the sources',
  'completed',
  'Choose the angle',
  'Two papers, one dissent.',
  'blocked',
  'For people who run queues.',
  'ready',
  'Choose the angle',
  'For people who run queues.',
  'done',
  'Write the article',
  'review_requested',
  'writer-1',
  'Write the article',
  'The ending is missing.',
  'review_requested',
  'done',
  'review_requested,changes_requested,review_requested,completed',
];

describe('the README', () => {
  it('works from the first shell block to the last', async () => {
    const blocks = await shellBlocks();
    expect(blocks.length).toBeGreaterThanOrEqual(7);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], { cwd: ROOT });
    const all = stdout.trim().split('\n');
    const lines = all.slice(0, all.indexOf('pipeline'));
    expect(lines.slice(0, 4)).toEqual(['newsroom', 'NEWSR-1', 'NEWSR-2', 'Fix the typo']);
    expect(stdout).toContain('cancel_requested: null');
    expect(lines.slice(-4, -2)).toEqual(['completed', 'done']);
    expect(Date.parse(lines.at(-2) ?? '')).toBeGreaterThan(Date.now());
    expect(lines.at(-1)).toBe('all_waiting');
    expect(all.slice(all.indexOf('pipeline'))).toEqual(PIPELINE);
  }, 120_000);

  it('shows TypeScript that the compiler takes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leaseboard-readme-ts-'));
    const blocks = await blocksOf('ts');
    expect(blocks.length).toBeGreaterThanOrEqual(2);
    for (const [at, block] of blocks.entries()) {
      await writeFile(
        join(folder, `block${at}.ts`),
        block.replaceAll("'leaseboard/client'", `'${ROOT}client/index.ts'`),
      );
    }
    const compilerOptions = {
      typeRoots: [join(ROOT, 'node_modules/@types')],
      noPropertyAccessFromIndexSignature: false,
    };
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await run(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', folder]).catch((error: unknown) => {
      throw new Error(String(Reflect.get(Object(error), 'stdout')));
    });
    await rm(folder, { recursive: true });
  }, 120_000);
});
