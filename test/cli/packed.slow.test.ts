/** What `npm pack` makes, installed into an empty folder, with the README's worker pasted beside it. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LeaseboardClient } from '../../client/index.ts';
import { createQueue } from '../../demo/board.ts';
import { startOwnStack, type OwnStack } from '../../demo/fleet/own-stack.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { readmeBlock } from '../support/readme-block.ts';
import { MACHINE_NODE, MACHINE_PATH, spawned } from './support/spawned.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

const ROOT = new URL('../../', import.meta.url).pathname;
const SOON_MS = 60_000;
/** The shortest that a contract takes: what a killed worker held is back after it. */
const LEASE_TTL_SECONDS = 5;
const LONGEST_WORKER_LINES = 15;
const run = promisify(execFile);

let folder: string;
let stack: OwnStack;
let client: LeaseboardClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-packed-'));
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const env = { ...process.env, PATH: MACHINE_PATH };
  await run('npm', ['install', '--silent', '--prefer-offline', join(folder, tarball)], { cwd: folder, env });
  stack = await startOwnStack();
  client = new LeaseboardClient({ ...stack, agent: 'tester' });
});

afterAll(async () => {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Pages that the test answers by hand, in the order in which they were asked for. */
async function pages() {
  const asked: ServerResponse[] = [];
  const server = createServer((_request, response) => void asked.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/page`, asked };
}

describe('the package', () => {
  test('brings no Node of its own', async () => {
    const bins = await readdir(join(folder, 'node_modules', '.bin'));
    expect(bins).toContain('leaseboard');
    expect(bins).not.toContain('node');
  });

  test('hands the card of a README worker that is killed to the next one', async () => {
    const code = await readmeBlock('ts', 'await worker(');
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(LONGEST_WORKER_LINES);
    await writeFile(join(folder, 'worker.mjs'), code);
    const queue = await createQueue(
      client,
      { slug: 'newsroom', name: 'Newsroom', description: '' },
      { lease_ttl_seconds: LEASE_TTL_SECONDS, backoff_seconds: [0], backoff_jitter: 0 },
    );
    const { url, asked } = await pages();
    const properties = { url };
    const card = await client.cards.create(queue.board, {
      title: 'One',
      column_id: queue.columnId,
      properties,
    });

    const env = { LB: stack.url, TOKEN: stack.token };
    const first = spawned(MACHINE_NODE, ['worker.mjs'], folder, env);
    await waitUntil('the first worker to ask for the page', SOON_MS, () => asked.length === 1);
    first.child.kill('SIGKILL');
    const second = spawned(MACHINE_NODE, ['worker.mjs'], folder, env);
    await waitUntil('the second worker to ask for the page', SOON_MS, () => asked.length === 2);
    asked[1]?.end('twelve chars');
    await waitUntil('the card to be done', SOON_MS, async () => {
      return (await client.cards.get(card.id)).state === 'done';
    });

    expect((await client.cards.get(card.id)).output).toEqual({ characters: 12 });
    const { items } = await client.cards.runs(card.id);
    expect(items.map(({ outcome }) => outcome)).toEqual(['expired', 'completed']);
    second.child.kill('SIGTERM');
    expect(await second.ended, second.said()).toBe(0);
  });

  test('has a command line that runs on that Node', async () => {
    const bin = join(folder, 'node_modules', '.bin', 'leaseboard');
    const env = {
      PATH: MACHINE_PATH,
      HOME: folder,
      LEASEBOARD_URL: stack.url,
      LEASEBOARD_TOKEN: stack.token,
    };
    const { stdout } = await run(bin, ['doctor', '--json'], { cwd: folder, env });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  });

  test('has types that a strict compiler takes', async () => {
    const code = await readmeBlock('ts', 'await worker(');
    await writeFile(
      join(folder, 'worker.mts'),
      `declare const process: { env: Record<string, string> };\n${code}`,
    );
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
    ];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, ...options, 'worker.mts'], { cwd: folder }).catch(
      (error: unknown) => {
        throw new Error(String(Reflect.get(Object(error), 'stdout')));
      },
    );
  });
});
