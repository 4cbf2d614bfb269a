/** A newcomer who has `leaseboard --help` and nothing else: its first steps, typed one after the other. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, expect, test, vi } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { spawned, type Spawned } from './support/spawned.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const ROOT = new URL('../../', import.meta.url).pathname;
const SOON_MS = 60_000;
const CARDS = 6;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-newcomer-'));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/** `leaseboard` with these words, as a process in the newcomer's folder. */
function leaseboard(words: string, env: Readonly<Record<string, string>> = {}): Spawned {
  return spawned(process.execPath, [join(ROOT, 'cli/main.ts'), ...words.split(' ')], folder, env);
}

async function said(words: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = leaseboard(words, env);
  expect([words, await command.ended, command.said()]).toEqual([words, 0, expect.anything()]);
  return command.said();
}

test('creates a board, imports a backlog, runs two workers and brings a dead card back', async () => {
  const port = await freePort();
  const data = join(folder, '.leaseboard');
  const start = ['local/start.ts', '--port', String(port), '--data', data, '--no-demo'];
  const stack = spawned(process.execPath, start.with(0, join(ROOT, 'local/start.ts')), folder);
  await waitUntil('the stack', SOON_MS, () => stack.said().includes('ready at'));
  // Only since the usual port may be taken here; the token is found where `npm start` keeps it.
  const env = { LEASEBOARD_URL: `http://127.0.0.1:${port}` };

  const steps =
    (await said('--help')).match(/^ {2}leaseboard .*/gm)?.map((step) => step.trim().slice(11)) ?? [];
  expect(steps.map((step) => step.split(' ').slice(0, 2).join(' '))).toEqual([
    'board create',
    'import backlog.jsonl',
    'card run',
    'watch --board',
    'card list',
    'card redrive',
  ]);
  const [create = '', load = '', work = '', watch = '', dead = '', redrive = ''] = steps;

  await said(create, env);
  const cards = Array.from({ length: CARDS }, (_none, at) => JSON.stringify({ title: `Card ${at + 1}` }));
  await writeFile(join(folder, 'backlog.jsonl'), cards.join('\n'));
  expect(await said(load, env)).toMatch(/created: +6/);

  const script = '#!/bin/sh\n[ "$LEASEBOARD_CARD_KEY" != NEWSR-1 ] || [ -e mended ] || exit 65\necho done\n';
  await writeFile(join(folder, 'work.sh'), script);
  await chmod(join(folder, 'work.sh'), 0o755);
  const watching = leaseboard(watch, env);
  await waitUntil('the watch to begin', SOON_MS, () => watching.said().includes('Watching'));
  const workers = [leaseboard(work, env), leaseboard(work.replace('drafter-1', 'drafter-2'), env)];
  const codes = await Promise.all(workers.map(async ({ ended }) => ended));
  // Whoever had the card that died says so.
  expect(codes).toEqual(codes[0] === 0 ? [0, 9] : [9, 0]);
  await waitUntil('the watch to show the death', SOON_MS, () =>
    /card\.lease\.deadlettered .*NEWSR-1/.test(watching.said()),
  );

  expect(await said(dead, env)).toContain('NEWSR-1');
  await said(redrive, env);
  await writeFile(join(folder, 'mended'), '');
  await said(work, env);
  const done = await said('card list --board newsroom --state done --json', env);
  expect((JSON.parse(done) as { items: unknown[] }).items).toHaveLength(CARDS);
  expect(await said('tail NEWSR-1 --board newsroom --no-follow', env)).toMatch(
    /card\.created [^]*card\.lease\.deadlettered [^]*card\.redriven [^]*card\.lease\.completed /,
  );
  watching.child.kill('SIGINT');
  expect(await watching.ended).toBe(130);
  stack.child.kill('SIGTERM');
  await stack.ended;
});
