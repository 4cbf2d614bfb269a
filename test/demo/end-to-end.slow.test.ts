/** The demo on a real server of its own: what a newcomer sees. */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { LeaseboardClient } from '../../client/index.ts';
import { startOwnStack, type OwnStack } from '../../demo/fleet/own-stack.ts';
import { startDemo } from '../../demo/seed.ts';

/** The whole of a small run: a lease of 5 s must run out after its last kill, and long cards take 7.5 s. */
const RUN_LIMIT_MS = 120_000;
const SOON = { timeout: 30_000, interval: 200 };

let stack: OwnStack;
let client: LeaseboardClient;

beforeAll(async () => {
  stack = await startOwnStack();
  client = new LeaseboardClient(stack);
}, 120_000);

afterAll(async () => {
  await stack.stop();
});

async function demoCards(): Promise<number> {
  const { counts } = await client.boards.get('demo');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function start(firstStart: boolean): Promise<{ stop(): Promise<void> }> {
  const demo = await startDemo({ baseUrl: stack.url, adminToken: stack.token, firstStart });
  onTestFinished(() => demo.stop());
  return demo;
}

async function runDemo(...args: string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, ['demo/run.ts', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, said };
}

describe('the demo that npm start shows', () => {
  test('makes nothing on a later start when its board is not there', async () => {
    await start(false);
    await expect(client.boards.get('demo')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('loads the 56 reports on a first start, and four named workers take them', async () => {
    const demo = await start(true);
    expect(await demoCards()).toBe(56);
    const agents = async (): Promise<string[]> => {
      const { items } = await client.leases.list('demo', { state: 'active' });
      return items.map((lease) => lease.agent).sort();
    };
    await expect.poll(agents, SOON).toEqual(['drafter-1', 'drafter-2', 'drafter-3', 'drafter-4']);
    await demo.stop();
    expect(await agents()).toEqual([]);
  });

  test('goes on with the board that is there, and loads nothing twice', async () => {
    await start(true);
    const done = async (): Promise<number> => (await client.boards.get('demo')).counts.done ?? 0;
    await expect.poll(done, SOON).toBeGreaterThan(0);
    expect(await demoCards()).toBe(56);
  });
});

describe('npm run demo', () => {
  test(
    'loses nothing and completes nothing twice while workers vanish, and proves it from the API',
    async () => {
      const server = ['--url', stack.url, '--token', stack.token];
      const { code, said } = await runDemo('--cards', '60', '--kill', '9', '--seed', '11', ...server);
      expect(said).toContain('60 cards on board demo-run-');
      expect(said).toMatch(/ok +no card has two accepted completions: all 60/);
      expect(said).toMatch(/ok +at least 6 recoveries were seen/);
      expect(said).not.toContain('FAILED');
      expect(said).not.toContain(stack.token);
      expect(code).toBe(0);
    },
    RUN_LIMIT_MS,
  );

  test('says what is wrong with its options and ends with 2', async () => {
    const { code, said } = await runDemo('--cards', 'many');
    expect(code).toBe(2);
    expect(said).toContain('--cards takes a whole number');
  });

  test(
    'ends with 1 and says so when the server is not there',
    async () => {
      const server = ['--url', 'http://127.0.0.1:9', '--token', 'lb_x_0123456789abcdef0123456789abcdef'];
      const { code, said } = await runDemo('--cards', '1', '--kill', '0', ...server);
      expect(code).toBe(1);
      expect(said).toContain('is http://127.0.0.1:9 reachable?');
    },
    RUN_LIMIT_MS,
  );
});
